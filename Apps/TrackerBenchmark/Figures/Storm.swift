import CoreTracker
import EventDelivery
import Foundation
import Synchronization

/// Many threads that track at once, through one tracker, as fast as the writer stores it.
///
/// The destination sees the events in the order in which they are stored: each thread's have to come in theirs. The
/// floor of the time is the same storm on services that do nothing, whose only pauses are those in which the system
/// lets other threads run.
struct Storm: Figure {
    private struct Numbered: CoreTrackable {
        let thread: Int
        let number: Int

        var services: [EventService] {
            let parameters: Parameters = [
                "thread": .int(thread), "number": .int(number), "item_id": "p-1", "price": 89.5,
            ]
            return [
                .firebase(FirebaseEvent(name: "storm", parameters: parameters)),
                .awesomeTracking(AwesomeTrackingEvent(name: "storm", parameters: parameters)),
            ]
        }
    }

    private let threads: Int
    private let tail: Row
    private let memory: Row
    private static let events = 128_000

    /// Creates a storm of so many threads.
    init(threads: Int) {
        self.threads = threads
        tail = Row("storm of \(threads) threads: p99.9", .nanoseconds, .atMost(50_000))
        memory = Row("storm of \(threads) threads: memory growth", .bytes, .atMost(32_000_000))
    }

    var rows: [Row] { [tail, memory] }
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let order = OrderCheck(lanes: 2)
        let destinations = try LiveEngine.destinations().map {
            WatchedDestination($0) { event, _ in order.note(event) }
        }
        let live = try await LiveEngine(in: setting.directory, destinations: destinations)
        live.track(0..<2_000)
        live.waitUntilStored()
        let before = ProcessUsage.residentMemory
        let times = await run(track: { live.tracker.track($0) }, pause: { live.makeRoom() })
        live.waitUntilStored()
        let growth = ProcessUsage.peakMemory.flatMap { peak in before.map { max(0, peak - $0) } }
        let losses = await live.lossCount()
        await live.engine.close(deadline: .zero)
        guard losses == 0 else { throw BenchmarkError("\(losses) events were lost") }
        if let fault = order.fault(expected: Self.events / threads, threads: threads) { throw BenchmarkError(fault) }
        let idle = IdleTracker()
        let floor = await run(track: { idle.track($0) }, pause: { usleep(100) })
        // What is kept of the times is the benchmark's own.
        let own = Double(MemoryLayout<Int64>.stride * times.values.count * 2)
        return [
            Sample(row: tail.name, value: times.value(at: 0.999), floor: floor.value(at: 0.999)),
            Sample(row: memory.name, value: growth.map { max(0, $0 - own) }, note: "needs /proc"),
        ]
    }

    private func run(
        track: @escaping @Sendable (Numbered) -> Void,
        pause: @escaping @Sendable () -> Void
    ) async -> Percentiles {
        let all = Mutex(Percentiles(capacity: Self.events))
        let running = Atomic(threads)
        let (threads, calls) = (threads, Self.events / threads)
        await withCheckedContinuation { continuation in
            for thread in 0..<threads {
                Thread.detachNewThread {
                    let times = Self.times(of: calls, thread: thread, track: track, pause: pause)
                    all.withLock { $0.add(times) }
                    if running.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                        continuation.resume()
                    }
                }
            }
        }
        return all.withLock { times in
            times.sort()
            return times
        }
    }

    private static func times(
        of calls: Int,
        thread: Int,
        track: (Numbered) -> Void,
        pause: () -> Void
    ) -> Percentiles {
        var times = Percentiles(capacity: calls)
        for number in 0..<calls {
            let event = Numbered(thread: thread, number: number)
            let start = Stopwatch.now
            track(event)
            times.add(Stopwatch.now - start)
            if number.isMultiple(of: 16) { pause() }
        }
        return times
    }
}
