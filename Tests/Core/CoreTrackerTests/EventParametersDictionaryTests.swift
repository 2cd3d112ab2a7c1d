import CoreTracker
import Testing

@Suite struct EventParametersDictionaryTests {
    @Test func `each value has a plain form, and a number that is not finite is left out`() throws {
        let parameters: EventParameters = [
            "text": "a", "int": 7, "double": 1.5, "yes": true, "nan": .double(.nan), "items": [["id": 1], "x"],
        ]

        let values = parameters.dictionary
        let items = try #require(values["items"] as? [any Sendable])

        #expect(values["text"] as? String == "a")
        #expect(values["int"] as? Int == 7)
        #expect(values["double"] as? Double == 1.5)
        #expect(values["yes"] as? Int == 1)
        #expect((items.first as? [String: any Sendable])?["id"] as? Int == 1)
        #expect(items.last as? String == "x")
        #expect(values.count == 5)
    }

    @Test func `a sensitive value is left out`() {
        let parameters: EventParameters = .sensitive(Sensitive("ali@example.com"), as: "mail", .pass(.analytics))

        #expect(parameters.dictionary.isEmpty)
    }

    @Test func `nested objects keep their depth`() {
        var value: ParameterValue = 1
        for _ in 0..<20 { value = .object(["k": value]) }

        var nested: (any Sendable)? = (["k": value] as EventParameters).dictionary["k"]
        var depth = 0
        while let next = nested as? [String: any Sendable] {
            depth += 1
            nested = next["k"]
        }

        #expect(depth == 20 && nested as? Int == 1)
    }
}
