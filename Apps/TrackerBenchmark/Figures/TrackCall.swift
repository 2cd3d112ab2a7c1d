import CoreTracker
import CoreTrackerTesting
import DLProductDetail
import DLTracker
import EventDelivery
import Foundation
import Locks

/// The time of `track` for its caller, in bursts of 1,000 calls on an open engine with a disk.
///
/// The floor builds the same values by hand and appends them under a lock. Each call is timed separately, including two
/// readings of the clock.
struct TrackCall: Figure {
    private static let median = Row("track, 2 services × 8 parameters: p50", .nanoseconds, .atMost(500))
    private static let tail = Row("track, 2 services × 8 parameters: p99", .nanoseconds, .atMost(2_000))
    private static let oneList = Row("track, one list for both services: p50", .nanoseconds, .atMost(500))
    private static let mock = Row("track by MockTracker", .nanoseconds)
    private static let nothing = Row("track with services that do nothing", .nanoseconds)
    private static let bursts = 100
    private static let calls = 1_000

    let rows = [median, tail, oneList, mock, nothing]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let live = try await LiveEngine(in: setting.directory, destinations: LiveEngine.destinations())
        _ = burst(of: live, ShopEvent.init)
        var (times, shared, floors) = (Percentiles(capacity: Self.bursts * Self.calls), Percentiles(), Percentiles())
        for _ in 0..<Self.bursts {
            times.add(burst(of: live, ShopEvent.init))
            live.waitUntilStored()
            shared.add(burst(of: live, SharedListEvent.init))
            live.waitUntilStored()
            floors.add(burstByHand())
        }
        guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
        await live.engine.close(timeout: .zero)
        times.sort()
        shared.sort()
        floors.sort()
        let mockTime = perCall(calls: 20_000, MockTracker())
        // A short time doubles if the machine is busy for a moment. Use the minimum of several measurements.
        let noTime = (0..<20).map { _ in perCall(calls: 20_000, IdleTracker()) }.min() ?? 0
        return [
            Sample(row: Self.median.name, value: times.value(at: 0.5), floor: floors.value(at: 0.5)),
            Sample(row: Self.tail.name, value: times.value(at: 0.99), floor: floors.value(at: 0.99)),
            Sample(row: Self.oneList.name, value: shared.value(at: 0.5)),
            Sample(row: Self.mock.name, value: mockTime),
            Sample(row: Self.nothing.name, value: noTime),
        ]
    }

    private func burst(of live: LiveEngine, _ event: (Int) -> some CoreTrackable) -> Percentiles {
        var times = Percentiles(capacity: Self.calls)
        for number in 0..<Self.calls {
            let event = event(number)
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

/// The time of `track` through a feature's tracker, which adds default parameters to each event.
///
/// The floor is the product's tracker with the same services. Both are measured in turns, so a busy machine slows them
/// alike.
struct FeatureScope: Figure {
    private static let row = Row("track through a feature's tracker: p50", .nanoseconds, .timesFloor(1.15))
    private static let bursts = 100
    private static let calls = 1_000

    let rows = [row]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let live = try await LiveEngine(in: setting.directory, destinations: LiveEngine.destinations())
        let (product, feature) = (live.tracker, live.featureTracker)
        for tracker in [product, feature] as [any CoreTracker] { _ = live.burst(of: tracker, calls: Self.calls) }
        var (times, floors) = (Percentiles(capacity: Self.bursts * Self.calls), Percentiles())
        for _ in 0..<Self.bursts {
            times.add(live.burst(of: feature, calls: Self.calls))
            floors.add(live.burst(of: product, calls: Self.calls))
        }
        guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
        await live.engine.close(timeout: .zero)
        times.sort()
        floors.sort()
        return [Sample(row: Self.row.name, value: times.value(at: 0.5), floor: floors.value(at: 0.5))]
    }
}

/// The time of `track` while an inspector receives each event.
///
/// The floor is the same call without an inspector. The writer prepares the inspector's data, so the caller pays
/// nothing for it. Both are measured in turns, so a busy machine slows them alike.
struct InspectedTrack: Figure {
    private static let row = Row("track with an inspector attached: p50", .nanoseconds, .timesFloor(1.15))
    private static let bursts = 100
    private static let calls = 1_000

    let rows = [row]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let link = "http://127.0.0.1:9/?token=\(String(repeating: "0", count: 32))"
        let plain = try await LiveEngine(in: setting.directory + "/plain", destinations: LiveEngine.destinations())
        let inspected = try await LiveEngine(
            in: setting.directory + "/inspected",
            destinations: LiveEngine.destinations(),
            inspector: link
        )
        for live in [plain, inspected] { _ = live.burst(of: live.tracker, calls: Self.calls) }
        var (times, floors) = (Percentiles(capacity: Self.bursts * Self.calls), Percentiles())
        for _ in 0..<Self.bursts {
            times.add(inspected.burst(of: inspected.tracker, calls: Self.calls))
            floors.add(plain.burst(of: plain.tracker, calls: Self.calls))
        }
        for live in [plain, inspected] {
            guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
            await live.engine.close(timeout: .zero)
        }
        times.sort()
        floors.sort()
        return [Sample(row: Self.row.name, value: times.value(at: 0.5), floor: floors.value(at: 0.5))]
    }
}
