import CoreTracker
import DLProductDetail
import DLTracker
import EventDelivery

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
        await live.engine.close(deadline: .zero)
        times.sort()
        floors.sort()
        return [Sample(row: Self.row.name, value: times.value(at: 0.5), floor: floors.value(at: 0.5))]
    }
}
