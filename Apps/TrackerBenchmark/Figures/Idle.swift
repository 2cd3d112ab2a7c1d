import EventDelivery
import Foundation

/// The number of thread wake-ups of an open but idle engine in ten seconds.
///
/// The floor is the same process before it opens an engine. On Linux, libdispatch wakes its manager thread once a
/// second after the first use of a queue, so the count may differ by one.
struct Idle: Figure {
    private static let row = Row("idle, empty queue: wake-ups in 10 s", .count, .timesFloor(1.1))

    let rows = [row]
    let runs = RunCount(full: 3, quick: 1)

    func measure(_ setting: Setting) async throws -> [Sample] {
        await Task.detached {}.value
        let floor = wakeUps()
        let transport = ReceiverlessTransport(acknowledges: true)
        let live = try await LiveEngine(
            in: setting.directory,
            destinations: LiveEngine.destinations(),
            transport: transport
        )
        live.track(0..<1_000)
        while await live.deliveredCount() < 2_000 { usleep(1_000) }
        let value = wakeUps()
        await live.engine.close(deadline: .zero)
        return [Sample(row: Self.row.name, value: value, floor: floor, note: "needs /proc")]
    }

    /// Returns the wake-ups in ten seconds, or `nil` without `/proc`.
    ///
    /// The measurement starts after the runtime has parked its spare threads.
    private func wakeUps() -> Double? {
        guard ProcessUsage.wakeUpsOfOthers != nil else { return nil }
        sleep(8)
        guard let before = ProcessUsage.wakeUpsOfOthers else { return nil }
        sleep(10)
        return ProcessUsage.wakeUpsOfOthers.map { Double($0 - before) }
    }
}
