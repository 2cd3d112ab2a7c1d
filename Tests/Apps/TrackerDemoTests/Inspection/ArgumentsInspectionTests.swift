import CoreTracker
import Testing

@testable import TrackerDemo

@Suite struct ArgumentsInspectionTests {
    @Test func `the inspector has any free port unless one is named`() throws {
        #expect(try Arguments([]).inspection == InspectionOptions())
        #expect(try Arguments(["--inspect"]).inspection.port == 0)
        #expect(try Arguments(["--inspect", "8123"]).inspection.port == 8_123)
        #expect(try Arguments(["--inspect=8123", "--game"]).inspection.port == 8_123)
        #expect(try Arguments(["--inspect", "--plan", "p"]).inspection.plan == "p")
    }

    @Test func `examples are those of a module or of an event, or all`() throws {
        let all = PlannedExamples.events(named: nil)
        let module = PlannedExamples.events(named: "DLCheckout")

        #expect(try Arguments(["--examples", "DLCheckout"]).inspection.examples == "DLCheckout")
        #expect(try Arguments(["--inspect", "--examples"]).inspection.tracksExamples)
        #expect(module.count == 3 && all.count > 20)
        let order = PlannedExamples.events(named: "DLOrderPlaced")
        #expect(order.map { "\($0.event)" } == ["DLOrderPlaced"] && order[0].catalog.scope["screen"] == "checkout")
    }

    @Test(arguments: [
        ["--inspect", "70000"], ["--inspect", "x"], ["--inspect", "--offline"], ["--plan", "p"], ["--plan"],
        ["--examples", "nothing"], ["--examples", "--game"], ["--examples", "--replay", "f"],
    ]) func `conflicting options are refused`(words: [String]) {
        #expect(throws: DemoError.self) { try Arguments(words) }
    }
}
