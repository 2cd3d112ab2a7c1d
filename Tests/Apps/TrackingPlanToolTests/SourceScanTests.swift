import Foundation
import SuperApp
import Testing

@testable import TrackingPlan
@testable import TrackingPlanTool

@Suite struct SourceScanTests {
    @Test(arguments: [
        ("public struct Viewed: CoreTrackable {", ["Viewed"]),
        ("struct Viewed: Sendable, CoreTrackable, Hashable {", ["Viewed"]),
        ("extension Viewed: PlannedEvent {}", ["Viewed"]),
        ("enum Viewed:\n    Hashable,\n    CoreTracker::CoreTrackable\n{", ["Viewed"]),
        ("private final class Viewed<Item>: CoreTrackable where Item: Sendable {", ["Viewed"]),
        ("extension Journey.Viewed: CoreTrackable {", ["Journey.Viewed"]),
        ("// struct Viewed: CoreTrackable {", []), ("/* struct Viewed:\n CoreTrackable { */", []),
        ("struct Viewer: Sendable { let event: any CoreTrackable }", []),
        ("func track<Event: CoreTrackable>(_ event: Event) {", []), ("protocol PlannedEvent: CoreTrackable {", []),
    ])
    func `an event is found however its conformance is written`(source: String, types: [String]) throws {
        #expect(try SourceScan.types(in: source) == types)
    }
}

/// A scanner that finds event types in the sources of modules.
enum SourceScan {
    /// Returns the event types in a folder of modules, as `Module.Type`.
    ///
    /// The conformance may be on the type or on an extension. Modules for tests and tools are ignored, because no
    /// product sends their events.
    static func events(in modules: URL) throws -> [String] {
        let files = FileManager.default.enumerator(at: modules, includingPropertiesForKeys: nil)
        var events: Set<String> = []
        while let file = files?.nextObject() as? URL {
            let module = file.pathComponents[modules.pathComponents.count]
            guard file.pathExtension == "swift", !module.hasSuffix("Testing") else { continue }
            for event in try types(in: String(contentsOf: file, encoding: .utf8)) {
                events.insert("\(module).\(event)")
            }
        }
        return events.sorted()
    }

    /// Returns the types that a source declares to be events.
    static func types(in source: String) throws -> [String] {
        let code = source.replacing(#/\/\/[^\n]*|\/\*(?s:.*?)\*\//#, with: "")
        let declaration =
            #/
            \b(?:struct|class|enum|actor|extension)\s+(?<name>[\w.]+)(?:<[^>{]*>)?\s*:(?<parents>[^{]*)\{
            /#
        return code.matches(of: declaration).compactMap { match in
            match.parents.contains(#/\b(CoreTrackable|PlannedEvent)\b/#) ? String(match.name) : nil
        }
    }
}

/// The repository that contains these tests.
enum Repository {
    /// Returns the folders of modules.
    static func shelves() throws -> [URL] {
        let modules = URL(filePath: #filePath).appending(path: "../../../../Modules").standardizedFileURL
        return try FileManager.default.contentsOfDirectory(at: modules, includingPropertiesForKeys: nil)
    }
}

/// Tests the additional information on the page of this repository's plan.
@Suite struct PlanNotesTests {
    @Test func `each key has a meaning, and each event an occasion and a release`() throws {
        let services = try CheckedService.all()
        let sources = try SourceNotes(folders: Repository.shelves())
        let notes = PlanNotes(on: .all, at: services, sources: sources)
        let plan = Plan(of: .all, at: services)

        for entry in plan.entries {
            let event = notes.event(of: entry)
            #expect(event.occasion != nil && event.introduced != nil, "\(entry.event)")
            let defaults = services.first { $0.accepts(entry.service, of: entry.product) }?.defaults ?? []
            for key in entry.parameters.keys().map(\.path) + defaults {
                #expect(notes.key(key, of: entry) != nil, "\(entry.event) at \(entry.service): \(key)")
            }
        }
        let payment = try #require(plan.entries.first { $0.event == "DLPaymentSelected" && $0.service == "firebase" })
        #expect(notes.key("payment_type", of: payment)?.values.map(\.value) == ["card", "wallet", "cash"])
        #expect(notes.key("items[].quantity", of: payment)?.meaning == "The number of pieces.")
    }
}
