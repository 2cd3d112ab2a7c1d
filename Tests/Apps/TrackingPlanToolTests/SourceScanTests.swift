import Testing

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
