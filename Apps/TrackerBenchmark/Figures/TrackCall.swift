import CoreTracker
import CoreTrackerTesting
import DLTracker
import EventDelivery
import Foundation
import Locks

/// The time of `track` for its caller, in bursts of 1,000 calls on an open engine with a disk.
///
/// The floor builds the same values by hand and appends them under a lock. Each call is timed separately, including two
/// readings of the clock.
struct TrackCall: Figure {
    private static let median = Row("track, 2 services × 8 parameters: p50", .nanoseconds, .atMost(1_000))
    private static let tail = Row("track, 2 services × 8 parameters: p99", .nanoseconds, .atMost(10_000))
    private static let mock = Row("track by MockTracker", .nanoseconds)
    private static let nothing = Row("track with services that do nothing", .nanoseconds)
    private static let bursts = 100
    private static let calls = 1_000

    let rows = [median, tail, mock, nothing]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let live = try await LiveEngine(in: setting.directory, destinations: LiveEngine.destinations())
        _ = burst(of: live)
        var (times, floors) = (Percentiles(capacity: Self.bursts * Self.calls), Percentiles())
        for _ in 0..<Self.bursts {
            times.add(burst(of: live))
            live.waitUntilStored()
            floors.add(burstByHand())
        }
        guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
        await live.engine.close(deadline: .zero)
        times.sort()
        floors.sort()
        let mockTime = perCall(calls: 20_000, MockTracker())
        // A short time doubles if the machine is busy for a moment. Use the minimum of several measurements.
        let noTime = (0..<20).map { _ in perCall(calls: 20_000, IdleTracker()) }.min() ?? 0
        return [
            Sample(row: Self.median.name, value: times.value(at: 0.5), floor: floors.value(at: 0.5)),
            Sample(row: Self.tail.name, value: times.value(at: 0.99), floor: floors.value(at: 0.99)),
            Sample(row: Self.mock.name, value: mockTime),
            Sample(row: Self.nothing.name, value: noTime),
        ]
    }

    private func burst(of live: LiveEngine) -> Percentiles {
        var times = Percentiles(capacity: Self.calls)
        for number in 0..<Self.calls {
            let event = ShopEvent(number: number)
            times.addTime { live.tracker.track(event) }
        }
        return times
    }

    private func burstByHand() -> Percentiles {
        let buffer = HandWrittenBuffer(capacity: Self.calls)
        var times = Percentiles(capacity: Self.calls)
        for number in 0..<Self.calls {
            let event = ShopEvent(number: number)
            times.addTime { buffer.append(event) }
        }
        return times
    }

    private func perCall(calls: Int, _ tracker: some CoreTracker) -> Double {
        let event = ShopEvent(number: 1)
        return Stopwatch.perCall(calls: calls) { tracker.track(event) }
    }
}
