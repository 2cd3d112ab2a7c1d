import CoreTracker
import Testing

@Suite struct PlainParametersTests {
    private enum Condition: String, ParameterRepresentable {
        case used
    }

    private let id = "7"
    private let price = 35.79
    private let count = 2
    private let isGift = true
    private let tags = ["new", "sale"]
    private let item: EventParameters = ["id": "7"]
    private let brand: String? = nil

    @Test func `variables of the six kinds compile in a literal, in each event`() {
        let expected: EventParameters = [
            "id": "7", "price": 35.79, "count": 2, "is_gift": true, "tags": ["new", "sale"], "item": ["id": "7"],
            "condition": "used", "channel": "app",
        ]

        #expect(
            FirebaseEvent(
                "seen",
                [
                    "id": id, "price": price, "count": count, "is_gift": isGift, "tags": tags, "item": item,
                    "condition": Condition.used, "channel": "app",
                ]
            ).parameters == expected
        )
        #expect(AwesomeTrackingEvent("seen", ["id": id, "count": 2]).parameters == ["id": "7", "count": 2])
        #expect(VendorEvent("braze", "seen", ["from": id]).parameters == ["from": "7"])
    }

    @Test func `a labeled literal keeps its order, whether its values are literals, variables or both`() {
        let names = [
            FirebaseEvent(name: "seen", parameters: ["z": "7", "a": 2]),
            FirebaseEvent(name: "seen", parameters: ["z": id, "a": id]),
            FirebaseEvent(name: "seen", parameters: ["z": id, "a": count, "m": brand, "b": [id, "8"]]),
            FirebaseEvent(name: "seen", parameters: ["z": .string(id), "a": 2]),
        ].map { $0.parameters.map(\.name) }

        #expect(names == [["z", "a"], ["z", "a"], ["z", "a", "b"], ["z", "a"]])
        let own = AwesomeTrackingEvent(name: "seen", parameters: ["z": id, "a": id], options: .critical)
        #expect(own == AwesomeTrackingEvent("seen", ["z": "7", "a": "7"], options: .critical))
    }

    @Test func `a dictionary is an event's parameters, in the order of its names`() {
        let filters = ["size": "M", "color": "red"]
        let counts = ["b": 1, "a": 2]
        let values: [String: any ParameterRepresentable] = ["id": id, "count": count]
        let expected: EventParameters = ["color": "red", "size": "M"]

        #expect(FirebaseEvent(name: "seen", parameters: filters).parameters == expected)
        #expect(AwesomeTrackingEvent(name: "seen", parameters: filters).parameters == expected)
        #expect(FirebaseEvent(name: "seen", parameters: counts).parameters == ["a": 2, "b": 1])
        #expect(VendorEvent("braze", "seen", EventParameters(filters)).parameters == expected)
        #expect(EventParameters(values.mapValues(\.parameterValue)) == ["count": 2, "id": "7"])
    }

    @Test func `a nil value is left out and counted as one without a declared name`() {
        let event = AwesomeTrackingEvent("seen", ["id": id, "brand": brand])

        #expect(event.parameters.map(\.name) == ["id"])
        #expect(event.parameters.hasAbsent)
    }

    @Test func `if a name repeats, its last value takes the position of the first`() {
        #expect(EventParameters(["a": id, "b": count, "a": price] as PlainParameters) == ["a": 35.79, "b": 2])
    }

    @Test func `options are those of the call`() {
        let event = FirebaseEvent("seen", ["id": id], options: .critical)

        #expect(event.options == .critical)
    }
}
