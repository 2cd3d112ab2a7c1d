import CoreTracker
import Testing

@testable import CoreTrackerTesting

@Suite struct EventLogTests {
    private let log = EventLog()

    @Test func `a changed event shows the lines that differ among those that do not`() {
        log.append(BasketEmptied())
        log.append(BasketFilled(item: "7", price: 35.8))

        let message = log.mismatch(with: [BasketEmptied(), BasketFilled(item: "7")])

        #expect(
            message == """
                tracked events differ (− expected, + tracked):
                  BasketEmptied
                  BasketFilled
                    firebase "add_to_cart"
                      "items": [
                        {
                          "item_id": "7"
                        }
                      ]
                    awesomeTracking "basket_filled"
                −     "price": 35.79
                +     "price": 35.8
                """
        )
    }

    @Test func `many events are compared in one pass`() {
        for number in 0..<20_000 { log.append(BasketFilled(item: "\(number)")) }

        let found = log.mismatch(including: [BasketFilled(item: "5"), BasketFilled(item: "19999")])
        let missing = log.mismatch(including: [BasketFilled(item: "19999"), BasketFilled(item: "5")])

        #expect(found == nil)
        #expect(missing?.contains("− BasketFilled") == true)
    }

    @Test func `missing and unexpected events show all of their lines`() {
        log.append(BasketEmptied())

        let message = log.mismatch(with: [Screen()])

        #expect(
            message == """
                tracked events differ (− expected, + tracked):
                − Screen
                −   goes to no service
                + BasketEmptied
                +   vendor "braze" "basket_emptied"
                """
        )
    }

    @Test func `in any order, an event that is expected twice must be tracked twice`() {
        log.append(BasketEmptied())

        let message = log.mismatch(inAnyOrder: [BasketEmptied(), BasketEmptied()])

        #expect(
            message == """
                tracked events differ (− expected, + tracked):
                  BasketEmptied
                − BasketEmptied
                −   vendor "braze" "basket_emptied"
                """
        )
    }

    @Test(
        arguments: [
            [], [BasketFilled(item: "8")], [BasketEmptied()], [BasketFilled(item: "7"), BasketEmptied()],
        ] as [[any CoreTrackable]]
    )
    func `anything but the tracked events is a mismatch`(expected: [any CoreTrackable]) {
        log.append(BasketFilled(item: "7"))

        #expect(log.mismatch(with: expected) != nil)
        #expect(log.mismatch(inAnyOrder: expected) != nil)
    }

    @Test func `events in another order are a mismatch unless the order is ignored`() {
        log.append(BasketFilled(item: "7"))
        log.append(BasketEmptied())

        #expect(log.mismatch(with: [BasketEmptied(), BasketFilled(item: "7")]) != nil)
        #expect(log.mismatch(including: [BasketEmptied(), BasketFilled(item: "7")]) != nil)
        #expect(log.mismatch(inAnyOrder: [BasketEmptied(), BasketFilled(item: "7")]) == nil)
    }

    @Test func `a text that was tracked is found in names, keys and values`() {
        log.append(BasketFilled(item: "\"ali\""))

        #expect(log.mismatch(containing: "veli") == nil)
        for text in ["\"ali\"", "price", "basket_filled"] {
            #expect(log.mismatch(containing: text) != nil)
        }
    }

    @Test func `the keys of sensitive values and flags are searched, too`() {
        log.append(SignedUp(mail: Sensitive("ali@example.com"), policy: .drop))
        log.append(Screen(parameters: ["isHome": true]))

        #expect(log.mismatch(containing: "mail") != nil)
        #expect(log.mismatch(containing: "true") != nil)
    }

    @Test(arguments: ["awesomeTracking", "firebase", "vendor", "sensitive", "hash", "braze", "priority", "    "])
    func `the words of a report are not searched, nor is a sensitive value`(text: String) {
        log.append(BasketFilled(item: "7"))
        log.append(BasketEmptied())
        log.append(SignedUp(mail: Sensitive("ali@example.com"), policy: .hash, note: "plain"))

        #expect(log.mismatch(containing: text) == nil)
    }

    @Test func `types with one name in different types are different, and are shown with both`() {
        log.append(Basket.Opened())

        let message = log.mismatch(with: [List.Opened()])

        #expect(message?.contains(".List.Opened") == true && message?.contains(".Basket.Opened") == true)
        #expect(log.mismatch(inAnyOrder: [List.Opened()]) != nil)
        #expect(log.mismatch(including: [List.Opened()]) != nil)
        #expect(log.mismatch(with: [Basket.Opened()]) == nil)
    }

    @Test func `numbers of different kinds and a number's text are different values`() {
        let values: [ParameterValue] = [1, 1.0, "1", true, [1], ["a": 1]]

        let lines = Set(values.map { RecordedEvent(Screen(parameters: ["key": $0])).lines })

        #expect(lines.count == values.count)
    }

    @Test func `a NaN is equal to itself`() {
        log.append(Screen(parameters: ["price": .double(.nan)]))

        #expect(log.mismatch(with: [Screen(parameters: ["price": .double(.nan)])]) == nil)
    }

    @Test func `the services are those at the time of tracking`() {
        log.append(Screen(parameters: ["step": 1]))

        #expect(log.events.map(\.services) == [Screen(parameters: ["step": 1]).services])
    }
}

/// A part of an app with an event.
private enum Basket {
    struct Opened: CoreTrackable {
        let services: [EventService] = [.firebase(FirebaseEvent("opened"))]
    }
}

/// Another part of an app with an event of the same name.
private enum List {
    struct Opened: CoreTrackable {
        let services: [EventService] = [.firebase(FirebaseEvent("opened"))]
    }
}

/// An event that goes to Firebase if it has parameters, and otherwise to no service.
private struct Screen: CoreTrackable {
    var parameters: EventParameters?

    var services: [EventService] {
        parameters.map { [.firebase(FirebaseEvent(name: "screen", parameters: $0))] } ?? []
    }
}

@Suite struct AlignmentTests {
    @Test(arguments: [
        ([], []), ([1], []), ([], [1]), ([1, 2, 3], [1, 2, 3]), ([1, 2, 3], [0, 1, 3, 4]), ([1, 2], [3, 4]),
        ([1, 1, 2], [2, 1, 1]), ([5, 1, 5], [5]),
    ])
    func `the steps contain both lists in their order`(old: [Int], new: [Int]) {
        let steps = Alignment(from: old, to: new).steps

        #expect(steps.flatMap { $0.removed + ($0.kept.map { [$0] } ?? []) } == old)
        #expect(steps.flatMap { $0.inserted + ($0.kept.map { [$0] } ?? []) } == new)
    }

    @Test func `common elements of both lists are kept`() {
        let steps = Alignment(from: [1, 2, 3], to: [0, 1, 3, 4]).steps

        #expect(steps.compactMap(\.kept) == [1, 3])
    }
}
