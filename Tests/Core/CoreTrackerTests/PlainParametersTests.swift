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
