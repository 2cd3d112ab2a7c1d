import EventDelivery

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
            await live.engine.close(deadline: .zero)
        }
        times.sort()
        floors.sort()
        return [Sample(row: Self.row.name, value: times.value(at: 0.5), floor: floors.value(at: 0.5))]
    }
}
