import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct EventTypesTests {
    @Test(arguments: [
        ("public struct Viewed: CoreTrackable {", ["Viewed"]),
        ("struct Viewed: Sendable, CoreTrackable, Hashable {", ["Viewed"]),
        ("extension Viewed: PlannedEvent {}", ["Viewed"]),
        ("enum Viewed:\n    Hashable,\n    CoreTracker::CoreTrackable\n{", ["Viewed"]),
        ("private final class Viewed<Item>: CoreTrackable where Item: Sendable {", ["Viewed"]),
        ("extension Journey.Viewed: CoreTrackable {", ["Journey.Viewed"]),
        ("protocol ShopEvent: CoreTrackable {}\nstruct Viewed: ShopEvent {", ["Viewed"]),
        ("struct Viewed: ShopEvent {\n}\nprotocol ShopEvent: PlannedEvent {}", ["Viewed"]),
        ("// struct Viewed: CoreTrackable {", []), ("/* struct Viewed:\n CoreTrackable { */", []),
        ("let source = \"\"\"\n    struct Viewed: CoreTrackable {\n    \"\"\"", []),
        ("struct Viewer: Sendable { let event: any CoreTrackable }", []),
        ("struct Box<Event>: Sendable where Event: CoreTrackable {", []),
        ("func track<Event: CoreTrackable>(_ event: Event) {", []), ("protocol PlannedEvent: CoreTrackable {", []),
    ])
    func `an event is found however its conformance is written`(source: String, types: [String]) {
        let found = EventTypes(in: [SourceFile(module: "ACShop", text: source)])

        #expect(found.names == types.map { "ACShop.\($0)" })
    }

    @Test(arguments: ["ACShopTests", "ACShopTesting"])
    func `an event of a module for tests is ignored`(module: String) {
        let found = EventTypes(in: [SourceFile(module: module, text: "struct Viewed: CoreTrackable {}")])

        #expect(found.names.isEmpty)
    }

    @Test func `a catalog lists the events of its own module, with or without an outer type`() {
        let found = EventTypes(in: [
            SourceFile(
                module: "ACAccounts",
                text: "extension Journey.SignedUp: CoreTrackable {}\nstruct Left: CoreTrackable {}"
            ),
            SourceFile(module: "ACShop", text: "struct SignedUp: CoreTrackable {}"),
        ])

        #expect(found.missing(from: [.accounts]) == ["ACAccounts.Left", "ACShop.SignedUp"])
    }
}
