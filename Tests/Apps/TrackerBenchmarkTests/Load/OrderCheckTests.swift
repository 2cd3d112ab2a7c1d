import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import TrackerBenchmark

@Suite struct OrderCheckTests {
    @Test func `events of two threads may mix if each thread's are in order`() {
        let check = OrderCheck(lanes: 1)

        for (thread, number) in [(0, 0), (1, 0), (1, 1), (0, 1)] { check.record(event(thread, number)) }

        #expect(check.fault(expected: 2, threads: 2) == nil)
    }

    @Test func `an event out of order within its thread is a fault`() {
        let check = OrderCheck(lanes: 1)

        for number in [1, 0] { check.record(event(0, number)) }

        #expect(check.fault(expected: 2, threads: 1) == "2 events are out of order")
    }

    @Test func `a missing event is a fault`() {
        let check = OrderCheck(lanes: 1)

        check.record(event(0, 0))

        #expect(check.fault(expected: 2, threads: 1) == "events are missing")
        #expect(check.fault(expected: 1, threads: 2) == "events are missing")
    }

    private func event(_ thread: Int, _ number: Int) -> OutgoingEvent {
        .stub(parameters: ["thread": .int(thread), "number": .int(number)])
    }
}
