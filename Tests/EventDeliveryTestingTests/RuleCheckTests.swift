import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct RuleCheckTests {
    @Test func `events that keep the rules of all destinations pass`() throws {
        try RuleCheck.check([LongNamed(name: "opened")], against: [LineDestination(), FaultyDestination(nil)])
    }

    @Test func `a broken rule is named with its event and its destination`() throws {
        let events = [LongNamed(name: "opened"), LongNamed(name: "opened_by_a_very_long_way"), LongNamed(name: "")]

        let violation = try #require(throws: RuleCheck.Violation.self) {
            try RuleCheck.check(events, against: [LineDestination(), FaultyDestination(nil)])
        }

        #expect(
            violation.description == """
                LongNamed (opened_by_a_very_long_way): T/faulty: name_too_long
                LongNamed (): T/lines: name_empty
                LongNamed (): T/faulty: name_empty
                """
        )
    }
}

/// An event with a name of the test's choice, for two services.
private struct LongNamed: CoreTrackable {
    let name: String

    var services: [EventService] {
        [.firebase(FirebaseEvent(name: name)), .awesomeTracking(AwesomeTrackingEvent(name: name))]
    }
}
