import EventDelivery
import Foundation

/// An open engine with nothing to do: how often its threads are woken in ten seconds.
///
/// The floor is the same process before it has an engine. On Linux libdispatch wakes its own manager thread once a
/// second as soon as anything has used a queue, so one wake-up more or less is the beginning or the end of a second.
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

    /// The wake-ups of ten seconds, after the runtime has sent its spare threads home; `nil` without `/proc`.
    private func wakeUps() -> Double? {
        guard ProcessUsage.wakeUpsOfOthers != nil else { return nil }
        sleep(8)
        guard let before = ProcessUsage.wakeUpsOfOthers else { return nil }
        sleep(10)
        return ProcessUsage.wakeUpsOfOthers.map { Double($0 - before) }
    }
}
