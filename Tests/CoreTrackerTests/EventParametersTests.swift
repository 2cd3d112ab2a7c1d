import CoreTracker
import Testing

@Suite struct EventParametersTests {
    @Test func `parameters keep the order in which they were written`() {
        let parameters: EventParameters = ["b": 1, "a": "x", "c": 2.5]

        #expect(parameters.map(\.key.name) == ["b", "a", "c"])
        #expect(parameters["a"] == "x")
    }

    @Test func `of two equal keys the later value stands at the place of the first`() {
        let parameters: EventParameters = ["a": 1, "b": true, "a": 3]

        #expect(parameters == ["a": 3, "b": true])
        #expect(parameters.count == 2)
    }

    @Test func `merged parameters take the other's value and keep their place`() {
        let merged = (["currency": "TRY", "channel": "web"] as EventParameters).merging(["channel": "app", "id": 7])

        #expect(merged.map(\.key.name) == ["currency", "channel", "id"])
        #expect(merged["channel"] == "app")
    }

    @Test func `setting nil removes a parameter`() {
        var parameters: EventParameters = ["a": 1, "b": 2]

        parameters["a"] = nil
        parameters["missing"] = nil

        #expect(parameters == ["b": 2])
    }
}
