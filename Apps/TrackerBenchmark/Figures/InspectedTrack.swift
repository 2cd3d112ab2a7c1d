import EventDelivery

/// A call of `track` while an inspector is told of each event; the floor is the same call without one.
///
/// What the inspector gets is made by the writer, so that the caller pays nothing for it. The two take turns, so that a
/// busy machine slows both.
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
            await live.engine.close(deadline: .zero)
        }
        times.sort()
        floors.sort()
        return [Sample(row: Self.row.name, value: times.value(at: 0.5), floor: floors.value(at: 0.5))]
    }
}
