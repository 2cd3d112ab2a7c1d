import CoreTracker
import EventDelivery
import Foundation
import Locks

/// The latency and memory growth of many threads that track through one tracker as fast as the writer stores.
///
/// The destination checks the order in which the events are stored: each thread's events must be in order. With more
/// threads than cores, threads are interrupted at any point. The time's floor therefore comes from the same threads at
/// the same time: after each call, a thread spins for as long as a call takes without a storm, and accesses no shared
/// data.
struct Storm: Figure {
    private struct Numbered: CoreTrackable {
        let thread: Int
        let number: Int

        var services: [EventService] {
            let parameters: EventParameters = [
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

    /// Creates a storm with a number of threads.
    init(threads: Int) {
        self.threads = threads
        // The time of many threads depends mostly on the scheduler, so it is compared with the time of spinning
        // threads.
        let budget = threads > 8 ? Row.Budget.timesFloor(2) : .atMost(50_000)
        tail = Row("storm of \(threads) threads: p99.9", .nanoseconds, budget)
        memory = Row("storm of \(threads) threads: memory growth", .bytes, .atMost(32_000_000))
    }

    var rows: [Row] { [tail, memory] }
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let order = OrderCheck(lanes: 2)
        let destinations = try LiveEngine.destinations().map {
            WatchedDestination($0) { event, _ in order.record(event) }
        }
        let live = try await LiveEngine(in: setting.directory, destinations: destinations)
        live.track(0..<2_000)
        live.waitUntilStored()
        let before = ProcessUsage.residentMemory
        let times = await run(live, spinning: Self.timeAlone)
        live.waitUntilStored()
        let growth = ProcessUsage.peakMemory.flatMap { peak in before.map { max(0, peak - $0) } }
        let losses = await live.lossCount()
        await live.engine.close(timeout: .zero)
        guard losses == 0 else { throw BenchmarkError("\(losses) events were lost") }
        if let fault = order.fault(expected: Self.events / threads, threads: threads) { throw BenchmarkError(fault) }
        // Subtract the memory of the recorded times.
        let own = Double(MemoryLayout<Int64>.stride * times.calls.values.count * 4)
        return [
            Sample(row: tail.name, value: times.calls.value(at: 0.999), floor: times.spins.value(at: 0.999)),
            Sample(row: memory.name, value: growth.map { max(0, $0 - own) }, note: "needs /proc"),
        ]
    }

    /// The time of a call while no other thread tracks, in nanoseconds.
    private static var timeAlone: Int64 {
        // The engine buffers events because it is never opened.
        let live = LiveEngine()
        var times = Percentiles()
        for number in 0..<2_000 {
            times.addTime { live.tracker.track(Numbered(thread: 0, number: number)) }
        }
        times.sort()
        return Int64(times.value(at: 0.5))
    }

    private func run(_ live: LiveEngine, spinning duration: Int64) async -> Times {
        let all = Mutex(Times(capacity: Self.events))
        let running = Atomic(threads)
        let (threads, calls) = (threads, Self.events / threads)
        await withCheckedContinuation { continuation in
            for thread in 0..<threads {
                Thread.detachNewThread {
                    let times = Self.times(of: calls, thread: thread, live, spinning: duration)
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

    private static func times(of calls: Int, thread: Int, _ live: LiveEngine, spinning duration: Int64) -> Times {
        var times = Times(capacity: calls)
        for number in 0..<calls {
            let event = Numbered(thread: thread, number: number)
            times.calls.addTime { live.tracker.track(event) }
            times.spins.addTime { spin(for: duration) }
            if number.isMultiple(of: 16) { live.makeRoom() }
        }
        return times
    }

    private static func spin(for duration: Int64) {
        let start = Stopwatch.now
        while Stopwatch.now - start < duration {}
    }
}

/// The times of the calls and of the spins between them, in nanoseconds.
private struct Times: Sendable {
    var calls: Percentiles
    var spins: Percentiles

    init(capacity: Int) {
        (calls, spins) = (Percentiles(capacity: capacity), Percentiles(capacity: capacity))
    }

    mutating func add(_ other: Times) {
        calls.add(other.calls)
        spins.add(other.spins)
    }

    mutating func sort() {
        calls.sort()
        spins.sort()
    }
}
