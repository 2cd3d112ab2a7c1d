public import CoreTracker
import Foundation

/// The tool that writes the tracking plan of an app's modules, and compares it.
public struct PlanTool: Sendable {
    /// What the tool was asked cannot be done.
    public struct Refusal: Error, CustomStringConvertible {
        public let description: String
    }

    /// What the arguments may be.
    public static let usage = "usage: write|check|diff|page FOLDER [SOURCES]"

    private let catalogs: [EventCatalog]
    private let capabilities: [CapabilityEvents]
    private let services: [CheckedService]

    /// Creates a tool for modules, what their apps' calls of capabilities become, and the services that they use.
    public init(catalogs: [EventCatalog], capabilities: [CapabilityEvents] = [], services: [CheckedService]) {
        self.catalogs = catalogs
        self.capabilities = capabilities
        self.services = services
    }

    /// Runs a command on a folder of plan files; answers what to say, and whether all is well.
    ///
    /// `write` puts the plan there, unless an event breaks a rule. `check` is not well where the folder differs from
    /// the plan, or an event breaks a rule. `diff` tells what has changed since the plan of the folder, and is not
    /// well where that breaks consumers. `page` says the plan's page, with what has changed since the plan of the
    /// folder.
    ///
    /// The page takes meanings of keys and events from the documentation comments in the folder of `SOURCES`, whose
    /// subfolders are the modules; without it, it has none.
    public func run(_ arguments: [String]) throws -> (text: String, isWell: Bool) {
        guard (2...3).contains(arguments.count) else { throw Refusal(description: PlanTool.usage) }
        let folder = URL(filePath: arguments[1])
        let sources = try arguments.count == 3 ? SourceNotes(folder: URL(filePath: arguments[2])) : SourceNotes()
        switch arguments[0] {
        case "write": return try write(to: folder, sources)
        case "check": return try check(folder, sources)
        case "diff": return try compare(with: folder)
        case "page": return (page(changes: try difference(from: folder).changes, sources).html, true)
        default: throw Refusal(description: PlanTool.usage)
        }
    }

    private var plan: Plan { Plan(of: catalogs, and: capabilities, at: services) }

    private func files(_ sources: SourceNotes) throws -> PlanFiles {
        try PlanFiles(of: plan, page: page(changes: [], sources))
    }

    private func page(changes: [PlanChange], _ sources: SourceNotes) -> PlanPage {
        PlanPage(
            of: plan,
            examples: ExampleBody.all(in: catalogs, at: services),
            at: services,
            changes: changes,
            notes: PlanNotes(on: catalogs, at: services, sources: sources)
        )
    }

    private func difference(from folder: URL) throws -> PlanDifference {
        PlanDifference(from: try PlanFiles(in: folder).plan, to: plan)
    }

    private var findings: [String] {
        PlanCheck.findings(in: catalogs, at: services).map { "breaks a rule: \($0)" }
    }

    private var summary: String {
        let plan = plan
        return "\(plan.eventsInOrder.count) events of \(plan.modules.count) modules, "
            + "\(plan.entries.count) calls of services"
    }

    private func write(to folder: URL, _ sources: SourceNotes) throws -> (text: String, isWell: Bool) {
        let findings = findings
        guard findings.isEmpty else { return (findings.joined(separator: "\n"), false) }
        try files(sources).write(to: folder)
        return (summary, true)
    }

    private func check(_ folder: URL, _ sources: SourceNotes) throws -> (text: String, isWell: Bool) {
        let differences = try files(sources).differences(from: PlanFiles(in: folder))
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
