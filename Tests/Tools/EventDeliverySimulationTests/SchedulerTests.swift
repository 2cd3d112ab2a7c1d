import Locks
import Testing

@testable import EventDeliverySimulation

@Suite struct SchedulerTests {
    private actor Counter {
        private let queue: SimulatedQueue
        private(set) var values: [Int] = []

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

        init(_ queue: SimulatedQueue) {
            self.queue = queue
        }

        func record(_ value: Int) { values.append(value) }

        func noteLater(_ values: Range<Int>, busyOn scheduler: Scheduler) {
            scheduler.block(for: 1_000_000)
            for value in values { Task { self.values.append(value) } }
        }
    }

    private final class Notes: Sendable {
        let values = Mutex<[Int]>([])

        func record(_ value: Int) { values.withLock { $0.append(value) } }
        var all: [Int] { values.withLock { $0 } }
    }

    @Test func `seeds select different orders, and the first-come strategy keeps the order`() {
        let orders = (0..<20).map { order(seed: $0, strategy: .uniform) }

        #expect(Set(orders).count > 5)
        #expect(order(seed: 3, strategy: .firstCome) == [0, 1, 2, 3])
        #expect(order(seed: 3, strategy: .uniform) == order(seed: 3, strategy: .uniform))
    }

    @Test func `time jumps to the next timer, and a cancelled sleep ends at once`() {
        let scheduler = Scheduler(seed: 1, strategy: .uniform)
        let (process, notes) = (scheduler.makeProcess(), Notes())
        let start = scheduler.now

        let sleeper = Task(executorPreference: process) {
            do { try await scheduler.sleep(until: .max) } catch { notes.record(1) }
        }
        Task(executorPreference: process) {
            await scheduler.pause(3_000_000_000)
            sleeper.cancel()
            await sleeper.value
            notes.record(2)
        }
        let ending = scheduler.run(limit: 100) { notes.all.count == 2 }

        #expect(ending == .done)
        #expect(notes.all == [1, 2])
        #expect((3_000_000_000..<3_001_000_000).contains(scheduler.now - start))
    }

    @Test func `a killed process does nothing more`() {
        let scheduler = Scheduler(seed: 1, strategy: .uniform)
        let (process, notes) = (scheduler.makeProcess(), Notes())

        Task(executorPreference: process) {
            notes.record(1)
            await scheduler.pause(1_000)
            notes.record(2)
        }
        _ = scheduler.run(limit: 10) { !notes.all.isEmpty }
        scheduler.kill(process)

        #expect(scheduler.run(limit: 10) { notes.all.count == 2 } == .deadlock)
        #expect(notes.all == [1])
    }

    @Test func `a frozen process continues when it is thawed, and time passes meanwhile`() {
        let scheduler = Scheduler(seed: 1, strategy: .uniform)
        let (process, other, notes) = (scheduler.makeProcess(), scheduler.makeProcess(), Notes())

        Task(executorPreference: process) {
            await scheduler.pause(1_000)
            notes.record(2)
        }
        Task(executorPreference: other) {
            scheduler.freeze(process)
            await scheduler.pause(1_000_000_000)
            notes.record(1)
            scheduler.thaw(process)
        }
        let ending = scheduler.run(limit: 100) { notes.all.count == 2 }

        #expect(ending == .done)
        #expect(notes.all == [1, 2])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the jobs that a long job enqueues on an actor run in order`(seed: UInt64) {
        let scheduler = Scheduler(seed: seed, strategy: .uniform)
        let (process, notes) = (scheduler.makeProcess(), Notes())
        let counter = Counter(process.makeQueue())

        Task(executorPreference: process) {
            await counter.noteLater(0..<6, busyOn: scheduler)
            await scheduler.pause(3_000_000)
            for value in await counter.values { notes.record(value) }
        }
        _ = scheduler.run(limit: 1_000) { notes.all.count == 6 }

        #expect(notes.all == [0, 1, 2, 3, 4, 5])
    }

    @Test func `a job is sometimes interrupted, and other jobs then run before it continues`() {
        let orders = (0..<200).map { (seed: UInt64) in
            let scheduler = Scheduler(seed: seed, strategy: .uniform)
            let (process, notes) = (scheduler.makeProcess(), Notes())
            let counter = Counter(process.makeQueue())
            Task(executorPreference: process) {
                notes.record(1)
                await counter.record(1)
                notes.record(2)
            }
            Task(executorPreference: process) {
                await scheduler.pause(100_000)
                notes.record(3)
            }
            _ = scheduler.run(limit: 100) { notes.all.count == 3 }
            return notes.all
        }

        #expect(orders.contains([1, 3, 2]) && orders.contains([1, 2, 3]))
    }

    private func order(seed: UInt64, strategy: Scheduler.Strategy) -> [Int] {
        let scheduler = Scheduler(seed: seed, strategy: strategy)
        let (process, notes) = (scheduler.makeProcess(), Notes())
        let counter = Counter(process.makeQueue())
        for value in 0..<4 {
            Task(executorPreference: process) {
                notes.record(value)
                await counter.record(value)
            }
        }
        _ = scheduler.run(limit: 1_000) { notes.all.count == 4 }
        return notes.all
    }
}
