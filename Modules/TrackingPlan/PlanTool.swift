public import CoreTracker
import Foundation

/// The tool that writes the tracking plan of an app's modules, and compares it.
public struct PlanTool: Sendable {
    /// What the tool was asked cannot be done.
    public struct Refusal: Error, CustomStringConvertible {
        public let description: String
    }

    /// What the arguments may be.
    public static let usage = "usage: write FOLDER | check FOLDER | diff FOLDER | page FOLDER"

    private let catalogs: [EventCatalog]
    private let services: [CheckedService]

    /// Creates a tool for modules and the services that their products use.
    public init(catalogs: [EventCatalog], services: [CheckedService]) {
        self.catalogs = catalogs
        self.services = services
    }

    /// Runs a command on a folder of plan files; answers what to say, and whether all is well.
    ///
    /// `write` puts the plan there, unless an event breaks a rule. `check` is not well where the folder differs from
    /// the plan, or an event breaks a rule. `diff` tells what has changed since the plan of the folder, and is not
    /// well where that breaks consumers. `page` says the plan's page, with what has changed since the plan of the
    /// folder.
    public func run(_ arguments: [String]) throws -> (text: String, isWell: Bool) {
        guard arguments.count == 2 else { throw Refusal(description: PlanTool.usage) }
        let folder = URL(filePath: arguments[1])
        switch arguments[0] {
        case "write": return try write(to: folder)
        case "check": return try check(folder)
        case "diff": return try compare(with: folder)
        case "page": return (page(changes: try difference(from: folder).changes).html, true)
        default: throw Refusal(description: PlanTool.usage)
        }
    }

    private var plan: Plan { Plan(of: catalogs, at: services) }

    private var files: PlanFiles {
        get throws { try PlanFiles(of: plan, page: page(changes: [])) }
    }

    private func page(changes: [PlanChange]) -> PlanPage {
        let examples = ExampleBody.all(in: catalogs, at: services)
        return PlanPage(of: plan, examples: examples, at: services, changes: changes)
    }

    private func difference(from folder: URL) throws -> PlanDifference {
        PlanDifference(from: try PlanFiles(in: folder).plan, to: plan)
    }

    private var findings: [String] {
        PlanCheck.findings(in: catalogs, at: services).map { "breaks a rule: \($0)" }
    }

    private var summary: String {
        let events = catalogs.reduce(0) { $0 + $1.events.count }
        return "\(events) events of \(catalogs.count) modules, \(plan.entries.count) calls of services"
    }

    private func write(to folder: URL) throws -> (text: String, isWell: Bool) {
        let findings = findings
        guard findings.isEmpty else { return (findings.joined(separator: "\n"), false) }
        try files.write(to: folder)
        return (summary, true)
    }

    private func check(_ folder: URL) throws -> (text: String, isWell: Bool) {
        let differences = try files.differences(from: PlanFiles(in: folder))
        let lines = findings + differences.map { "differs from the events: \($0)" }
        return lines.isEmpty ? (summary, true) : (lines.joined(separator: "\n"), false)
    }

    private func compare(with folder: URL) throws -> (text: String, isWell: Bool) {
        let difference = try difference(from: folder)
        let broken = difference.changes.filter(\.breaksConsumers).count
        let total = "\(difference.changes.count) changes, \(broken) of which break consumers"
        return ((difference.changes.map(\.description) + [total]).joined(separator: "\n"), broken == 0)
    }
}
