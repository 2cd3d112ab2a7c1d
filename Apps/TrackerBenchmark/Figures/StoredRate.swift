import AwesomeTracking
import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation

/// The sustained rate from a presenter to the disk, with one producer and two deliveries for each event.
///
/// The floor creates the same events, encodes the same bodies by hand, and stores them with SQLite in the engine's
/// tables. Its rows and transactions are as large as the engine's.
struct StoredRate: Figure {
    /// Three quarters of the floor's rate.
    private static let row = Row("presenter → stored, sustained", .perSecond, .timesFloor(1.33))
    private static let events = 200_000
    /// The mean number of events in a transaction of the engine.
    private static let group = 1_250

    let rows = [row]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let directory = "\(setting.directory)/queue"
        let live = try await LiveEngine(in: directory, destinations: LiveEngine.destinations())
        live.track(0..<5_000)
        live.waitUntilStored()
        let start = Stopwatch.now
        live.track(0..<Self.events)
        live.waitUntilStored()
        await live.engine.storeBuffered()
        let time = Double(Stopwatch.now - start)
        let losses = await live.lossCount()
        let identity = live.engine.identity
        await live.engine.close(timeout: .zero)
        guard losses == 0 else { throw BenchmarkError("events were lost") }
        let floor = try Self.floor(queue: "\(directory)/queue.db", identity)
        let deliveries = Double(2 * Self.events)
        return [Sample(row: Self.row.name, value: deliveries / time * 1e9, floor: deliveries / floor * 1e9)]
    }

    /// Returns the nanoseconds of the hand-written equivalent.
    private static func floor(queue: String, _ identity: Identity) throws -> Double {
        let database = try BareDatabase(queue: queue)
        let clock = SystemClock()
        var random = SystemRandomNumberGenerator()
        let ids = EventIDGenerator(seed: &random)
        var (firebase, awesomeTracking) = (HandWritten(identity), HandWritten(identity))
        let sizes = try (firebase: LiveEngine.firebase().limits.events, awesomeTracking: 250)
        return try Stopwatch.measure {
            for first in stride(from: 0, to: events, by: group) {
                let time = clock.wallTime()
                var rows: (firebase: [[UInt8]], awesomeTracking: [[UInt8]]) = ([], [])
                for number in first..<first + group {
                    let event = ShopEvent(number: number)
                    firebase.appendFirebase(event, id: ids.next(at: time), time: time)
                    let id = ids.next(at: time)
                    awesomeTracking.appendAwesomeTracking(event, id: id, time: time, sequence: Int64(number))
                    let count = number - first + 1
                    if count.isMultiple(of: sizes.firebase) { rows.firebase.append(firebase.takeBytes()) }
                    if count.isMultiple(of: sizes.awesomeTracking) {
                        rows.awesomeTracking.append(awesomeTracking.takeBytes())
                    }
                }
                let lanes = [(rows.firebase, sizes.firebase), (rows.awesomeTracking, sizes.awesomeTracking)]
                try database.store(lanes, time: time)
            }
            try database.makeBarrier()
        }
    }
}
