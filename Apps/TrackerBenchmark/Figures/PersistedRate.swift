import EventDelivery
import FirebaseTracking
import Foundation

/// From a presenter to the disk: one producer, two deliveries an event, as fast as the writer stores them.
///
/// The floor makes the same events, writes the same bodies by hand, and appends them to a file: a write for as many
/// events as the engine packs into a row, a barrier once a second and at the end.
struct PersistedRate: Figure {
    private static let row = Row(
        "presenter → persisted, sustained",
        .perSecond,
        .atLeast(300_000),
        .timesFloor(2)
    )
    private static let events = 200_000

    let rows = [row]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let live = try await LiveEngine(in: "\(setting.directory)/queue", destinations: LiveEngine.destinations())
        live.track(0..<5_000)
        live.waitUntilStored()
        let start = Stopwatch.now
        live.track(0..<Self.events)
        live.waitUntilStored()
        await live.engine.persist()
        let time = Double(Stopwatch.now - start)
        let losses = await live.lossCount()
        let identity = live.engine.identity
        await live.engine.close(deadline: .zero)
        guard losses == 0 else { throw BenchmarkError("events were lost") }
        let floor = try Self.floor(path: "\(setting.directory)/floor", identity)
        let deliveries = Double(2 * Self.events)
        return [Sample(row: Self.row.name, value: deliveries / time * 1e9, floor: deliveries / floor * 1e9)]
    }

    /// The nanoseconds of the same work by hand.
    private static func floor(path: String, _ identity: Identity) throws -> Double {
        let file = try AppendOnlyFile(path: path)
        let clock = SystemClock()
        var random = SystemRandomNumberGenerator()
        let ids = EventIDGenerator(seed: &random)
        var (firebase, awesomeTracking) = (HandWritten(identity), HandWritten(identity))
        let limits = try (LiveEngine.firebase().limits.events, 250)
        return try Stopwatch.measure {
            for number in 0..<events {
                let event = ShopEvent(number: number)
                let time = clock.wallTime()
                firebase.appendFirebase(event, id: ids.next(at: time), time: time)
                let id = ids.next(at: time)
                awesomeTracking.appendAwesomeTracking(event, id: id, time: time, sequence: Int64(number))
                if number % limits.0 == limits.0 - 1 { try flush(&firebase, to: file) }
                if number % limits.1 == limits.1 - 1 { try flush(&awesomeTracking, to: file) }
            }
            try flush(&firebase, to: file)
            try flush(&awesomeTracking, to: file)
            try file.makeBarrier()
        }
    }

    private static func flush(_ bodies: inout HandWritten, to file: AppendOnlyFile) throws {
        try file.append(bodies.bytes)
        bodies.removeAll()
    }
}
