import CoreTracker
import EventDelivery
import Foundation

/// The cost of a denial and of an erasure with 1,000,000 stored deliveries.
///
/// The erased user has a thousandth of the events.
struct Deletion: Figure {
    private static let inEffect = Row("denial of 1,000,000 deliveries: until in effect", .nanoseconds)
    private static let denial = Row("denial of 1,000,000 deliveries: until no byte is left", .nanoseconds)
    private static let denialBytes = Row("denial of 1,000,000 deliveries: bytes written", .bytes)
    private static let erasure = Row("erasure of 1,000 deliveries among 1,000,000", .nanoseconds)
    private static let erasureBytes = Row("erasure of 1,000 deliveries: bytes written", .bytes)
    private static let events = 500_000
    /// The number of events of each user.
    private static let eventsOfUser = 500

    let rows = [inEffect, denial, denialBytes, erasure, erasureBytes]
    let runs = RunCount(full: 3, quick: 0)

    func measure(_ setting: Setting) async throws -> [Sample] {
        let live = try await LiveEngine(in: setting.directory, destinations: LiveEngine.destinations())
        for first in stride(from: 0, to: Self.events, by: Self.eventsOfUser) {
            live.engine.user.identify("user-\(first)")
            live.track(first..<first + Self.eventsOfUser)
        }
        live.waitUntilStored()
        await live.engine.storeBuffered()
        guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
        var written = ProcessUsage.bytesWritten
        var start = Stopwatch.now
        let erased = try await live.engine.erase(user: "user-0")
        let erasure = Double(Stopwatch.now - start)
        guard erased == 2 * Self.eventsOfUser else { throw BenchmarkError("\(erased) events were erased") }
        let erasureBytes = ProcessUsage.difference(from: written, to: ProcessUsage.bytesWritten)
        written = ProcessUsage.bytesWritten
        start = Stopwatch.now
        async let denied: Void = live.engine.setConsent(.denied, for: .analytics)
        while live.engine.buffer.consents[.analytics] != .denied { await Task.yield() }
        let inEffect = Double(Stopwatch.now - start)
        try await denied
        let denial = Double(Stopwatch.now - start)
        let denialBytes = ProcessUsage.difference(from: written, to: ProcessUsage.bytesWritten)
        await live.engine.close(timeout: .zero)
        return [
            Sample(row: Self.inEffect.name, value: inEffect),
            Sample(row: Self.denial.name, value: denial),
            Sample(row: Self.denialBytes.name, value: denialBytes, note: "needs /proc"),
            Sample(row: Self.erasure.name, value: erasure),
            Sample(row: Self.erasureBytes.name, value: erasureBytes, note: "needs /proc"),
        ]
    }
}

/// The time of a start after a kill, with 20 MB of stored events.
///
/// The files are copied while the engine is open, between a barrier and the next one, so they are as a kill leaves
/// them.
struct StartAfterKill: Figure {
    private static let row = Row("start after a kill with 20 MB", .nanoseconds)
    private static let files = ["queue.db", "queue.db-wal", "queue.db.checkpoint"]

    let rows = [row]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let (queue, copy) = ("\(setting.directory)/queue", "\(setting.directory)/copy")
        let live = try await LiveEngine(in: queue, destinations: LiveEngine.destinations())
        var count = 0
        while try LiveEngine.fileSize(in: queue) < 20_000_000 {
            await live.engine.storeBuffered()
            live.track(count..<count + 1_000)
            live.waitUntilStored()
            count += 1_000
        }
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        // The engine may do maintenance between the copies of two files. They are copied again then.
        var changes: [Date]
        repeat {
            changes = try lastChanges(in: queue)
            for name in Self.files {
                // FileManager does not finish the copy of a file that shrinks.
                try Data(contentsOf: URL(filePath: "\(queue)/\(name)")).write(to: URL(filePath: "\(copy)/\(name)"))
            }
        } while try changes != lastChanges(in: queue)
        await live.engine.close(timeout: .zero)
        let killed = LiveEngine()
        let start = Stopwatch.now
        try await killed.open(
            in: copy,
            destinations: LiveEngine.destinations(),
            transport: ReceiverlessTransport(acknowledges: false)
        )
        let time = Double(Stopwatch.now - start)
        let pending = await killed.engine.statistics().reduce(0) { $0 + $1.ledger.pending }
        guard pending == 2 * count else { throw BenchmarkError("\(pending) deliveries are pending, not \(2 * count)") }
        await killed.engine.close(timeout: .zero)
        return [Sample(row: Self.row.name, value: time)]
    }

    private func lastChanges(in directory: String) throws -> [Date] {
        try Self.files.map {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\($0)")
            return attributes[.modificationDate] as? Date ?? .distantPast
        }
    }
}
