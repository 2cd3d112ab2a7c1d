import Analytics
import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct MockTrackerStepsTests {
    private let tracker = MockTracker()
    private let step = Journey.Event(name: "basketOpened", properties: ["itemCount": 2])

    @Test func `a step is visible before the call returns, apart from events, until a reset`() {
        tracker.send(event: step)

        tracker.expect(steps: [step])
        tracker.expectNothing()
        tracker.reset()
        tracker.expect(steps: [])
    }

    @Test(arguments: [
        [], [Journey.Event(name: "basketOpened")], [Journey.Event(name: "x", properties: ["itemCount": 2])],
    ])
    func `a missing step, another property and another name fail the expectation`(steps: [Journey.Event]) {
        tracker.send(event: step)

        withKnownIssue { tracker.expect(steps: steps) }
    }
}
