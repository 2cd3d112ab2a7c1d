import CoreTracker
import EventDelivery
import Foundation
import Locks

/// The cost of 1,000,000 deliveries stored offline: memory, disk, the next opening, and calls of `track`.
struct Backlog: Figure {
    private static let memory = Row("memory growth, 1,000,000 deliveries offline", .bytes, .atMost(16_000_000))
    private static let process =
        Row("memory of a process with a backlog of 1,000,000", .bytes, .timesFloor(1.25))
    private static let disk = Row(
        "bytes on disk per delivery, against its body",
        .bytes,
        .timesFloor(1.5),
        isCount: true
    )
    private static let opening = Row("open with a backlog of 1,000,000", .nanoseconds, .atMost(50_000_000))
    private static let call = Row("track with a backlog of 1,000,000", .nanoseconds, .timesFloor(1.2))
    private static let events = 500_000

    let rows = [memory, disk, opening, call, process]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        let bodies = Atomic(0)
        let destinations = try LiveEngine.destinations().map {
            WatchedDestination($0) { _, bytes in bodies.wrappingAdd(bytes, ordering: .relaxed) }
        }
        let queue = "\(setting.directory)/queue"
        let growth = try await fill(queue, destinations)
        let size = Double(try diskUsage(of: queue)) / Double(2 * Self.events)
        let body = Double(bodies.load(ordering: .relaxed)) / Double(2 * Self.events)
        let process = try memory(with: queue)
        let empty = "\(setting.directory)/empty"
        let emptyProcess = try memory(with: empty)
        let full = LiveEngine()
        let start = Stopwatch.now
        try await full.open(
            in: queue,
            destinations: destinations,
            transport: ReceiverlessTransport(acknowledges: false)
        )
        let opening = Double(Stopwatch.now - start)
        let other = try await LiveEngine(in: empty, destinations: destinations)
        let (call, floor) = calls(of: full, and: other)
        guard await full.lossCount() + other.lossCount() == 0 else { throw BenchmarkError("events were lost") }
        await full.engine.close(timeout: .zero)
        await other.engine.close(timeout: .zero)
        return [
            Sample(row: Self.memory.name, value: growth, note: "needs /proc"),
            Sample(row: Self.disk.name, value: size, floor: body),
            Sample(row: Self.opening.name, value: opening),
            Sample(row: Self.call.name, value: call, floor: floor),
            Sample(row: Self.process.name, value: process, floor: emptyProcess, note: "needs /proc"),
        ]
    }

    /// Stores the backlog.
    ///
    /// - Returns: The growth of resident memory after the first 5,000 events.
    private func fill(_ queue: String, _ destinations: [any Destination]) async throws -> Double? {
        let live = try await LiveEngine(in: queue, destinations: destinations)
        live.track(0..<5_000)
        live.waitUntilStored()
        let before = ProcessUsage.residentMemory
        live.track(5_000..<Self.events)
        live.waitUntilStored()
        let growth = ProcessUsage.residentMemory.flatMap { after in before.map { max(0, after - $0) } }
        guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
        await live.engine.close(timeout: .zero)
        return growth
    }

    /// Returns the memory of a process that opens a queue and tracks, or `nil` without `/proc`.
    private func memory(with queue: String) throws -> Double? {
        let outcome = try Tool(path: Tool.ownExecutable).run(["--load", "memory", "1000", queue], showsErrors: true)
        guard outcome.code == 0 else { throw BenchmarkError("a process with a backlog has ended with \(outcome.code)") }
        return outcome.output.split(separator: "\n").last.flatMap { Double($0) }
    }

    private func diskUsage(of directory: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { $0.hasPrefix("queue.db") && !$0.hasSuffix(".reserve") }
            .reduce(0) { sum, name in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
                return sum + (attributes[.size] as? Int ?? 0)
            }
    }

    /// Returns the median times of a call with a backlog and without, measured in turns.
    private func calls(of full: LiveEngine, and empty: LiveEngine) -> (Double, Double) {
        var times = (Percentiles(), Percentiles())
        for turn in 0...40 {
            let pair = (burst(of: full), burst(of: empty))
            guard turn > 0 else { continue }
            times.0.add(pair.0)
            times.1.add(pair.1)
        }
        times.0.sort()
        times.1.sort()
        return (times.0.value(at: 0.5), times.1.value(at: 0.5))
    }

    private func burst(of live: LiveEngine) -> Percentiles {
        var times = Percentiles(capacity: 500)
        for number in 0..<500 {
            let event = ShopEvent(number: number)
            times.addTime { live.tracker.track(event) }
        }
        live.waitUntilStored()
        return times
    }
}
