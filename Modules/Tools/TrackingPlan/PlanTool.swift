public import CoreTracker
import Foundation

/// A tool that writes, checks and compares the tracking plan of an app's modules.
///
/// ```swift
/// PlanTool(catalogs: [.acBasket], services: services).runAndExit()
/// ```
public struct PlanTool: Sendable {
    /// An error in the arguments of the tool.
    public struct UsageError: Error, CustomStringConvertible {
        public let description: String
    }

    /// The usage of the command line.
    public static let usage = "usage: write|check|json|diff|page|contract FOLDER [SOURCES …]"

    private let catalogs: [EventCatalog]
    private let capabilities: [CapabilityEvents]
    private let services: [CheckedService]

    /// Creates a tool.
    ///
    /// - Parameters:
    ///   - catalogs: The event catalogs of the modules.
    ///   - capabilities: The events for calls of capabilities.
    ///   - services: The services with which events are checked.
    public init(catalogs: [EventCatalog], capabilities: [CapabilityEvents] = [], services: [CheckedService]) {
        self.catalogs = catalogs
        self.capabilities = capabilities
        self.services = services
    }

    /// Runs a command on a folder of plan files.
    ///
    /// - `write` writes the plan to the folder, unless an event breaks a rule or is in no catalog. If a change to an
    ///   in-house event breaks receivers, it raises the number of the product's plan: the constant `planNumber` in the
    ///   source of the product's tracker, such as `ACTracker.swift`.
    /// - `check` fails if the folder differs from the plan, or an event breaks a rule or is in no catalog.
    /// - `json` does the same as `check`, and returns the plan as JSON: `events`, each with the JSON Schema of its
    ///   `parameters`, and the two kinds of faults, `findings` and `differences`.
    /// - `diff` lists the changes since the folder's plan, and the platforms that they break. It fails if there is one.
    /// - `page` returns the plan's page with the changes since the folder's plan.
    /// - `contract` writes the events as types of Kotlin and TypeScript to the folder, with each example in both
    ///   languages and `vectors.json`, which has the request of each example. It fails, and writes nothing, if an event
    ///   breaks a rule, or has a name or a type without correct code.
    ///
    /// The files of a plan are `tracking-plan.md`, `tracking-plan.html`, `views.sql` and a `.schema.json` for each
    /// module. Other files in the folder are ignored. `diff` and `page` need an existing folder.
    ///
    /// - Parameter arguments: The command, the folder of plan files and, optionally, folders of sources. Their
    ///   subfolders are modules. Each event type that they declare must be in a catalog. The page takes the meanings of
    ///   keys and events from their documentation comments.
    /// - Returns: The text to print, and whether the command succeeded.
    /// - Throws: ``UsageError`` if the arguments are not valid, or an error if files cannot be read or written.
    public func run(_ arguments: [String]) throws -> (text: String, isSuccess: Bool) {
        guard arguments.count >= 2 else { throw UsageError(description: PlanTool.usage) }
        let folder = URL(filePath: arguments[1])
        let sources = try SourceFile.all(in: arguments.dropFirst(2).map { URL(filePath: $0) })
        switch arguments[0] {
        case "write": return try write(to: folder, sources)
        case "check": return try check(folder, sources)
        case "json": return try report(folder, sources)
        case "diff": return try compare(with: folder, sources)
        case "page": return (page(changes: try difference(from: folder, sources).changes, notes(sources)).html, true)
        case "contract": return try writeContract(to: folder, sources)
        default: throw UsageError(description: PlanTool.usage)
        }
    }

    private func notes(_ sources: [SourceFile]) -> PlanNotes {
        PlanNotes(on: catalogs, at: services, sources: SourceNotes(in: sources))
    }

    private func plan(_ notes: PlanNotes = PlanNotes()) -> Plan {
        Plan(of: catalogs, and: capabilities, at: services, notes: notes)
    }

    private func files(_ sources: [SourceFile]) throws -> PlanFiles {
        let notes = notes(sources)
        return try PlanFiles(of: plan(notes), page: page(changes: [], notes))
    }

    private func page(changes: [PlanChange], _ notes: PlanNotes) -> PlanPage {
        PlanPage(
            of: plan(notes),
            examples: ExampleBody.all(in: catalogs, at: services),
            at: services,
            changes: changes,
            notes: notes
        )
    }

    private func difference(from folder: URL, _ sources: [SourceFile]) throws -> PlanDifference {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw UsageError(description: "there is no folder \(folder.path)")
        }
        return PlanDifference(from: try PlanFiles(in: folder).plan, to: plan(notes(sources)))
    }

    private func findings(_ sources: [SourceFile]) -> [String] {
        PlanCheck.findings(in: catalogs, at: services).map { "breaks a rule: \($0)" }
            + EventTypes(in: sources).missing(from: catalogs).map { "is in no event catalog of the plan: \($0)" }
    }

    private var summary: String {
        let plan = plan()
        return "\(plan.eventsInOrder.count) events of \(plan.modules.count) modules, "
            + "\(plan.entries.count) calls of services"
    }

    private func write(to folder: URL, _ sources: [SourceFile]) throws -> (text: String, isSuccess: Bool) {
        let findings = findings(sources)
        guard findings.isEmpty else { return (findings.joined(separator: "\n"), false) }
        let old = try PlanFiles(in: folder).readablePlan
        let numbers = PlanNumber.outdated(by: plan(), since: old, in: sources)
        // First, because the next run finds no difference to the files.
        for number in numbers { try number.raise() }
        try files(sources).write(to: folder)
        let raised = numbers.map { "the plan of \($0.product) has the number \($0.value + 1), because readers break" }
        return (([summary] + raised).joined(separator: "\n"), true)
    }

    private func check(_ folder: URL, _ sources: [SourceFile]) throws -> (text: String, isSuccess: Bool) {
        let differences = try files(sources).differences(from: PlanFiles(in: folder))
        let lines = findings(sources) + differences.map { "differs from the events: \($0)" }
        return lines.isEmpty ? (summary, true) : (lines.joined(separator: "\n"), false)
    }

    private func report(_ folder: URL, _ sources: [SourceFile]) throws -> (text: String, isSuccess: Bool) {
        let report = PlanReport(
            events: plan(notes(sources)).entries,
            findings: findings(sources),
            differences: try files(sources).differences(from: PlanFiles(in: folder))
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(report), as: UTF8.self)
        return (text, report.findings.isEmpty && report.differences.isEmpty)
    }

    private func writeContract(to folder: URL, _ sources: [SourceFile]) throws -> (text: String, isSuccess: Bool) {
        let findings = findings(sources)
        guard findings.isEmpty else { return (findings.joined(separator: "\n"), false) }
        do {
            let files = try ContractFiles(of: plan(notes(sources)), DeclaredEvent.all(in: catalogs), at: services)
            try files.write(to: folder)
            return ("\(files.texts.count) files", true)
        } catch let failure as Contract.Failure {
            return ("has no correct code in Kotlin or TypeScript: \(failure)", false)
        }
    }

    private func compare(with folder: URL, _ sources: [SourceFile]) throws -> (text: String, isSuccess: Bool) {
        let difference = try difference(from: folder, sources)
        let broken = difference.changes.filter(\.breaksConsumers).count
        let total = "\(difference.changes.count) changes, \(broken) of which break consumers"
        return ((difference.changes.map(\.description) + [total]).joined(separator: "\n"), broken == 0)
    }
}

/// The plan and its faults, for programs.
private struct PlanReport: Encodable {
    /// The events at each service.
    let events: [PlanEntry]
    /// The broken rules, and the events that are in no catalog.
    let findings: [String]
    /// The names of the files that differ from the events.
    let differences: [String]
}

extension PlanTool {
    /// Runs a command of the command line, prints the result and exits the process.
    ///
    /// The exit status is 0 on success. It is 1 if an event breaks a rule or the plan differs. It is 2 if the command
    /// line is not valid, or the folder or the output cannot be read or written. Errors are printed to standard error.
    ///
    /// - Parameter arguments: The command and the folder, as for ``run(_:)``.
    public func runAndExit(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> Never {
        do {
            let (text, isSuccess) = try run(arguments)
            PlanTool.exit(printing: text, isSuccess: isSuccess)
        } catch {
            PlanTool.exit(with: "\(error)")
        }
    }

    /// Prints a result and ends the process, as ``runAndExit(_:)`` does.
    package static func exit(printing text: String, isSuccess: Bool) -> Never {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
        } catch {
            exit(with: "the result cannot be written: \(error.localizedDescription)")
        }
        Foundation.exit(isSuccess ? 0 : 1)
    }

    /// Prints an error and ends the process, as ``runAndExit(_:)`` does.
    package static func exit(with message: String) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
        Foundation.exit(2)
    }
}
