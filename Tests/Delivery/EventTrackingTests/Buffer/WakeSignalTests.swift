import EventDeliveryTesting
import Testing

@testable import EventTracking

@Suite(.timeLimit(.minutes(1))) struct WakeSignalTests {
    @Test func `a signal without a waiter is kept once`() async {
        let wake = WakeSignal()
        let clock = TestClock()
        wake.signal()
        wake.signal()

        await wake.wait()
        let waiting = Task {
            await wake.wait(until: clock.monotonicTime().advanced(by: .seconds(1)), clock: clock, runtime: .system)
        }
        _ = await clock.nextSleep { $0 > .zero }
        clock.advance(by: .seconds(1))

        await waiting.value
    }

    @Test func `a signal ends a wait before its deadline`() async {
        let wake = WakeSignal()
        let clock = TestClock()
        let waiting = Task {
            await wake.wait(until: clock.monotonicTime().advanced(by: .seconds(60)), clock: clock, runtime: .system)
        }
        _ = await clock.nextSleep { $0 > .zero }

        wake.signal()

        await waiting.value
    }
}
