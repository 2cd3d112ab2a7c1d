import CLibrary
import EventDeliveryTesting
import Locks

/// A scheduler that runs the jobs of a simulation in an order determined by the seed.
///
/// All jobs run on the thread of the call of ``run(limit:until:)``, one at a time. The scheduler also advances the
/// simulated time.
///
/// Each job takes some simulated time, so concurrent work overlaps. If no job can run, the time advances to the next
/// timer.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class Scheduler: Sendable {
    /// The way in which the next job is picked.
    package enum Strategy: Sendable, Hashable {
        /// Each runnable job has the same probability.
        case uniform
        /// Jobs have random priorities.
        ///
        /// At some steps, the highest priority becomes the lowest (PCT).
        case priorities(changes: Int, horizon: Int)
        /// Jobs run in the order in which they became runnable.
        case firstCome
    }

    /// The reason for which a run has ended.
    package enum Ending: Sendable, Hashable {
        case done
        /// No job could run, and there was no timer.
        case deadlock
        case stepLimit
    }

    fileprivate enum Work: Sendable {
        case queue(SimulatedQueue)
        case job(UnownedJob)
    }

    /// A runnable unit: a job of a process, or the first job of an actor's queue.
    fileprivate struct Unit: Sendable {
        let id: Int
        let process: SimulatedProcess
        let work: Work
    }

    fileprivate enum Alarm: Sendable {
        case enqueue(Unit, SimulatedQueue?)
        case release(SimulatedQueue)
        case fire(@Sendable (_ isDue: Bool) -> Void)
    }

    fileprivate struct Timer: Sendable {
        let id: Int
        let due: Int64
        let process: Int?
        let alarm: Alarm

        /// The actor that receives the timer's job, if any.
        var target: Int? {
            guard case .enqueue(_, let queue) = alarm else { return nil }
            return queue?.number
        }
    }

    fileprivate struct Queue: Sendable {
        var jobs: [UnownedJob] = []
        var isReady = false
        var isBusy = false
        /// Whether the first job of the queue has waited for a slow disk.
        var hasStalled = false
    }

    fileprivate struct State: Sendable {
        var random: SeededGenerator
        var ready: [Unit] = []
        var queues: [Queue] = []
        var isAlive: [Bool] = []
        /// The frozen processes, and their units that would be ready.
        var frozen: Set<Int> = []
        var held: [Unit] = []
        var timers: [Timer] = []
        var nextID = 0
        var steps = 0
        /// The start time of the running job, and the time for which it has blocked, for example on a slow disk.
        var time: Int64 = 1_000_000_000
        var delay: Int64 = 0
        /// The duration of the interruption at the end of the running job.
        ///
        /// Other jobs see its effects before the jobs started by it can run.
        var interruption: Int64 = 0
        var current: SimulatedProcess?
        /// The process that ends after the running job.
        var doomed: SimulatedProcess?
        /// The maximum time in nanoseconds for which the jobs of a store wait for the disk before they run.
        var stall = 0
        var priorities: [Int: UInt64] = [:]
        var changes: Set<Int> = []
        var lowest: UInt64 = 1 << 20
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var strangers = 0
    }

    /// The maximum duration of a job in nanoseconds.
    fileprivate static let jobCost = 20_000
    /// The percentage of jobs interrupted before the jobs they start can run, and the maximum duration of the
    /// interruption in nanoseconds.
    fileprivate static let interruptions = (percent: 15, pause: 400_000)

    private let strategy: Strategy
    private let state: Mutex<State>
    private let owner = CallingThread.id

    /// Creates a scheduler.
    ///
    /// - Parameters:
    ///   - seed: The seed of all its choices.
    ///   - strategy: The way in which the next job is picked.
    package init(seed: UInt64, strategy: Strategy) {
        var random = SeededGenerator(seed: seed)
        var changes: Set<Int> = []
        if case .priorities(let count, let horizon) = strategy {
            for _ in 0..<count { changes.insert(random.below(horizon)) }
        }
        self.strategy = strategy
        var first = State(random: random)
        first.changes = changes
        state = Mutex(first)
    }

    /// The current time of the running job in nanoseconds.
    package var now: Int64 { state.withLock { $0.time + $0.delay } }

    /// The number of the process whose job is running, or -1.
    var runningProcess: Int { state.withLock { $0.current?.number ?? -1 } }

    /// The number of jobs run so far.
    package var steps: Int { state.withLock { $0.steps } }

    /// A hash of all mixed bytes, which differs if two runs differ.
    package var hash: UInt64 { state.withLock { $0.hash } }

    /// The number of calls from other threads, which means that work has left the simulation.
    package var strangers: Int { state.withLock { $0.strangers } }

    /// Adds bytes to ``hash``.
    package func mix(_ bytes: [UInt8]) {
        state.withLock { state in
            for byte in bytes { state.mix(UInt64(byte)) }
        }
    }

    /// Extends the running job.
    ///
    /// Its actor is busy, and the jobs started by it run later.
    ///
    /// - Parameter nanoseconds: The additional time.
    package func block(for nanoseconds: Int64) { state.withLock { $0.delay += max(0, nanoseconds) } }

    /// Delays the jobs of a store before they run, as on a slow disk.
    ///
    /// Other jobs are not delayed.
    ///
    /// A long job would instead show its effects before its simulated end.
    ///
    /// - Parameter nanoseconds: The maximum delay.
    package func stall(upTo nanoseconds: Int) { state.withLock { $0.stall = nanoseconds } }

    /// Creates a process.
    package func makeProcess() -> SimulatedProcess {
        state.withLock { state in
            state.isAlive.append(true)
            return SimulatedProcess(number: state.isAlive.count - 1, scheduler: self)
        }
    }

    /// Kills a process.
    ///
    /// None of its jobs runs any more.
    package func kill(_ process: SimulatedProcess) {
        state.withLock { state in
            state.isAlive[process.number] = false
            state.ready.removeAll { $0.process.number == process.number }
            state.held.removeAll { $0.process.number == process.number }
            state.timers.removeAll { $0.process == process.number }
        }
    }

    /// Freezes a process: its jobs and timers wait until it is thawed, and time passes.
    package func freeze(_ process: SimulatedProcess) {
        state.withLock { state in
            state.frozen.insert(process.number)
            state.held += state.ready.filter { $0.process.number == process.number }
            state.ready.removeAll { $0.process.number == process.number }
        }
    }

    /// Lets a frozen process continue.
    package func thaw(_ process: SimulatedProcess) {
        state.withLock { state in
            state.frozen.remove(process.number)
            state.ready += state.held.filter { $0.process.number == process.number }
            state.held.removeAll { $0.process.number == process.number }
        }
    }

    /// Whether a process is frozen.
    func isFrozen(_ process: SimulatedProcess) -> Bool { state.withLock { $0.frozen.contains(process.number) } }

    /// Kills a process after the running job.
    ///
    /// Jobs that this job has started never run.
    package func killAfterStep(_ process: SimulatedProcess) { state.withLock { $0.doomed = process } }

    /// Whether a process has not been killed.
    package func isAlive(_ process: SimulatedProcess) -> Bool { state.withLock { $0.isAlive[process.number] } }

    func makeQueue(in process: SimulatedProcess) -> SimulatedQueue {
        state.withLock { state in
            state.queues.append(Queue())
            return SimulatedQueue(number: state.queues.count - 1, process: process)
        }
    }

    func enqueue(_ job: UnownedJob, on queue: SimulatedQueue) {
        add(Unit(id: queue.number, process: queue.process, work: .job(job)), to: queue)
    }

    func enqueue(_ job: UnownedJob, in process: SimulatedProcess) {
        add(Unit(id: state.withLock { $0.makeID() }, process: process, work: .job(job)), to: nil)
    }

    private func add(_ unit: Unit, to queue: SimulatedQueue?) {
        let isStranger = CallingThread.id != owner
        state.withLock { state in
            if isStranger { state.strangers += 1 }
            guard state.isAlive[unit.process.number] else { return }
            if state.startsLater {
                state.setTimer(after: 0, process: unit.process.number, .enqueue(unit, queue))
            } else {
                state.add(unit, to: queue)
            }
        }
    }

    /// Waits until the given time.
    ///
    /// - Parameter due: The time in nanoseconds.
    /// - Throws: `CancellationError` if the task is cancelled.
    package func sleep(until due: Int64) async throws {
        let timer = Mutex<(id: Int?, isCancelled: Bool)>((nil, false))
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                let isCancelled = timer.withLock { $0.isCancelled } || Task.isCancelled
                guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
                let id = addTimer(due: due) { isDue in
                    if isDue { continuation.resume() } else { continuation.resume(throwing: CancellationError()) }
                }
                timer.withLock { $0.id = id }
            }
        } onCancel: {
            let id = timer.withLock { timer in
                timer.isCancelled = true
                return timer.id
            }
            if let id { cancelTimer(id) }
        }
    }

    /// Waits for the given time, even if the task is cancelled.
    ///
    /// - Parameter nanoseconds: The time to wait.
    package func pause(_ nanoseconds: Int64) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            _ = addTimer(due: now + max(0, nanoseconds)) { _ in continuation.resume() }
        }
    }

    private func addTimer(due: Int64, _ fire: @escaping @Sendable (Bool) -> Void) -> Int {
        state.withLock { state in
            state.timers.append(
                Timer(id: state.makeID(), due: due, process: state.current?.number, alarm: .fire(fire))
            )
            return state.nextID
        }
    }

    private func cancelTimer(_ id: Int) {
        let timer = state.withLock { state in
            state.timers.firstIndex { $0.id == id }.map { state.timers.remove(at: $0) }
        }
        if case .fire(let fire) = timer?.alarm { fire(false) }
    }
}

/// Running jobs.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension Scheduler {
    /// Runs jobs until a condition is true, no job or timer is left, or the limit is reached.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of jobs.
    ///   - isDone: Returns whether to stop.
    /// - Returns: The reason for the end.
    package func run(limit: Int, until isDone: () -> Bool) -> Ending {
        while !isDone() {
            if steps >= limit { return .stepLimit }
            let (isReady, isLate) = state.withLock { state in
                (!state.ready.isEmpty, state.earliest.map { $0 <= state.time } ?? false)
            }
            if isLate || !isReady {
                guard fireTimer() else { return .deadlock }
            } else {
                step()
            }
        }
        return .done
    }

    private func fireTimer() -> Bool {
        let timer: Timer? = state.withLock { state in
            guard let earliest = state.earliest else { return nil }
            state.time = max(state.time, earliest)
            // Timers with the same time fire in any order, but jobs for the same actor keep their order.
            let due = state.timers.indices.filter {
                state.timers[$0].due <= state.time && state.runs(state.timers[$0])
            }
            let picked = due[strategy == .firstCome ? 0 : state.random.below(due.count)]
            return state.timers.remove(at: state.first(of: due, insteadOf: picked))
        }
        switch timer?.alarm {
        case nil: return false
        case .enqueue(let unit, let queue): state.withLock { $0.add(unit, to: queue) }
        case .release(let queue): state.withLock { $0.release(queue) }
        case .fire(let fire): fire(true)
        }
        return true
    }

    private func step() {
        guard let (unit, job) = state.withLock({ $0.next(strategy) }) else { return }
        switch unit.work {
        case .queue(let queue): job.runSynchronously(on: queue.asUnownedSerialExecutor())
        case .job: job.runSynchronously(on: unit.process.asUnownedTaskExecutor())
        }
        let doomed = state.withLock { state in
            state.finish(unit)
            defer { state.doomed = nil }
            return state.doomed
        }
        if let doomed { kill(doomed) }
    }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension Scheduler.State {
    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    mutating func mix(_ value: UInt64) { hash = (hash ^ value) &* 0x0000_0100_0000_01B3 }

    /// Whether jobs started by the running job can run only later.
    var startsLater: Bool { delay + interruption > 0 }

    /// The time of the next timer, except timers that never fire and timers of frozen processes.
    var earliest: Int64? {
        var earliest = Int64.max
        for timer in timers where timer.due < earliest && runs(timer) { earliest = timer.due }
        return earliest < .max ? earliest : nil
    }

    /// Whether the process of a timer is not frozen.
    func runs(_ timer: Scheduler.Timer) -> Bool { timer.process.map { !frozen.contains($0) } ?? true }

    /// Returns the timer that fires if `picked` is picked: the earliest timer for the same actor.
    func first(of due: [Int], insteadOf picked: Int) -> Int {
        guard let queue = timers[picked].target else { return picked }
        return due.filter { timers[$0].target == queue }.min { timers[$0].due < timers[$1].due } ?? picked
    }

    mutating func setTimer(after nanoseconds: Int64, process: Int, _ alarm: Scheduler.Alarm) {
        let due = time + delay + interruption + nanoseconds
        timers.append(Scheduler.Timer(id: makeID(), due: due, process: process, alarm: alarm))
    }

    /// Makes a unit runnable: a job of a process at once, a job of an actor after its earlier jobs.
    mutating func add(_ unit: Scheduler.Unit, to queue: SimulatedQueue?) {
        guard isAlive[unit.process.number] else { return }
        guard let queue else { return addReady(unit) }
        if case .job(let job) = unit.work { queues[queue.number].jobs.append(job) }
        wake(queue)
    }

    mutating func wake(_ queue: SimulatedQueue) {
        let known = queues[queue.number]
        guard !known.isBusy, !known.isReady, !known.jobs.isEmpty, isAlive[queue.process.number] else { return }
        queues[queue.number].isReady = true
        addReady(Scheduler.Unit(id: -1 - queue.number, process: queue.process, work: .queue(queue)))
    }

    private mutating func addReady(_ unit: Scheduler.Unit) {
        if frozen.contains(unit.process.number) { held.append(unit) } else { ready.append(unit) }
    }

    mutating func release(_ queue: SimulatedQueue) {
        queues[queue.number].isBusy = false
        wake(queue)
    }

    mutating func next(_ strategy: Scheduler.Strategy) -> (Scheduler.Unit, UnownedJob)? {
        let unit = ready.remove(at: pick(strategy))
        steps += 1
        time += Int64(random.below(Scheduler.jobCost) + 1)
        mix(UInt64(bitPattern: Int64(unit.id)))
        mix(UInt64(bitPattern: time))
        current = unit.process
        let next: UnownedJob
        switch unit.work {
        case .job(let job): next = job
        case .queue(let queue):
            queues[queue.number].isReady = false
            queues[queue.number].isBusy = true
            queues[queue.number].hasStalled.toggle()
            if stall > 0, queues[queue.number].hasStalled, random.happens(30) {
                setTimer(after: Int64(random.below(stall)), process: unit.process.number, .release(queue))
                return nil
            }
            queues[queue.number].hasStalled = false
            next = queues[queue.number].jobs.removeFirst()
        }
        if strategy != .firstCome, random.happens(Scheduler.interruptions.percent) {
            interruption = Int64(random.below(Scheduler.interruptions.pause))
        }
        return (unit, next)
    }

    private mutating func pick(_ strategy: Scheduler.Strategy) -> Int {
        guard ready.count > 1 else { return 0 }
        switch strategy {
        case .firstCome: return 0
        case .uniform: return random.below(ready.count)
        case .priorities:
            for unit in ready where priorities[unit.id] == nil { priorities[unit.id] = (1 << 20) + random.next() >> 20 }
            var index = highest
            if changes.contains(steps) {
                lowest -= 1
                priorities[ready[index].id] = lowest
                index = highest
            }
            return index
        }
    }

    private var highest: Int {
        ready.indices.max { (priorities[ready[$0].id] ?? 0) < (priorities[ready[$1].id] ?? 0) } ?? 0
    }

    mutating func finish(_ unit: Scheduler.Unit) {
        if case .queue(let queue) = unit.work {
            if startsLater { setTimer(after: 0, process: unit.process.number, .release(queue)) } else { release(queue) }
        }
        (delay, interruption, current) = (0, 0, nil)
    }
}

/// The identity of the calling thread.
enum CallingThread {
    /// An identifier that no other running thread has.
    static var id: UInt {
        #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }
}
