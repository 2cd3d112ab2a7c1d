import EventDeliveryTesting
import Locks

/// Runs all jobs of a simulation on the thread that calls ``run(limit:until:)``, one at a time, in an order that a seed
/// picks, and moves the simulated time.
///
/// Each job takes some of that time, so that what happens meanwhile overlaps. When nothing can run, the time jumps to
/// the next timer.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class Scheduler: Sendable {
    /// How the next job is picked.
    package enum Strategy: Sendable, Hashable {
        /// Each job that could run has the same chance.
        case uniform
        /// Jobs have random priorities; at some steps the highest falls behind all others (PCT).
        case priorities(changes: Int, horizon: Int)
        /// First come, first served.
        case firstCome
    }

    /// Why a run has ended.
    package enum Ending: Sendable, Hashable {
        case done
        /// Nothing could run any more, and no timer was left.
        case deadlock
        case stepLimit
    }

    fileprivate enum Work: Sendable {
        case queue(SimulatedQueue)
        case job(UnownedJob)
    }

    /// What can run next: one job of a process, or the first one of an actor's queue.
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

        /// The actor that it hands a job to.
        var target: Int? {
            guard case .enqueue(_, let queue) = alarm else { return nil }
            return queue?.number
        }
    }

    fileprivate struct Queue: Sendable {
        var jobs: [UnownedJob] = []
        var isReady = false
        var isBusy = false
        /// Whether its first job has waited for a slow disk.
        var hasStalled = false
    }

    fileprivate struct State: Sendable {
        var random: SeededGenerator
        var ready: [Unit] = []
        var queues: [Queue] = []
        var isAlive: [Bool] = []
        var timers: [Timer] = []
        var nextID = 0
        var steps = 0
        /// The time at which the running job has begun, and what it has waited for since, as for a slow disk.
        var time: Int64 = 1_000_000_000
        var delay: Int64 = 0
        /// How long the running job is interrupted at its end: others see what it has done, and not yet what it starts.
        var interruption: Int64 = 0
        var current: SimulatedProcess?
        /// What ends with the running job.
        var doomed: SimulatedProcess?
        /// The most nanoseconds that the jobs of a store wait for the disk before they run.
        var stall = 0
        var priorities: [Int: UInt64] = [:]
        var changes: Set<Int> = []
        var lowest: UInt64 = 1 << 20
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var strangers = 0
    }

    /// The most nanoseconds that a job takes.
    fileprivate static let jobCost = 20_000
    /// How many of a hundred jobs are interrupted before they hand on what they have done, and the most nanoseconds
    /// until they go on.
    fileprivate static let interruptions = (percent: 15, pause: 400_000)

    private let strategy: Strategy
    private let state: Mutex<State>
    private let owner = CallingThread.id

    /// Creates a scheduler; all its choices come from the seed.
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

    /// The time as the running job sees it, in nanoseconds.
    package var now: Int64 { state.withLock { $0.time + $0.delay } }

    /// The number of the process whose job runs; -1 where none does.
    var runningProcess: Int { state.withLock { $0.current?.number ?? -1 } }

    /// How many jobs have run.
    package var steps: Int { state.withLock { $0.steps } }

    /// A number that two runs share only if everything that was mixed into it was the same.
    package var hash: UInt64 { state.withLock { $0.hash } }

    /// How many calls came from other threads: work that has left the simulation.
    package var strangers: Int { state.withLock { $0.strangers } }

    /// Adds bytes to ``hash``.
    package func mix(_ bytes: [UInt8]) {
        state.withLock { state in
            for byte in bytes { state.mix(UInt64(byte)) }
        }
    }

    /// Lets the running job take longer, and with it everything that it starts; its actor is busy meanwhile.
    package func block(for nanoseconds: Int64) { state.withLock { $0.delay += max(0, nanoseconds) } }

    /// Lets the jobs of a store wait before they run, as for a slow disk; nobody else waits with them.
    ///
    /// A job that took so long itself would show what it does at its end before its time has come.
    package func stall(upTo nanoseconds: Int) { state.withLock { $0.stall = nanoseconds } }

    /// Makes a process.
    package func makeProcess() -> SimulatedProcess {
        state.withLock { state in
            state.isAlive.append(true)
            return SimulatedProcess(number: state.isAlive.count - 1, scheduler: self)
        }
    }

    /// Ends a process where it stands: none of its jobs ever runs again.
    package func kill(_ process: SimulatedProcess) {
        state.withLock { state in
            state.isAlive[process.number] = false
            state.ready.removeAll { $0.process.number == process.number }
            state.timers.removeAll { $0.process == process.number }
        }
    }

    /// Ends a process when the running job is over; what the job has started never runs.
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

    /// Waits until an instant; throws `CancellationError` when the task is cancelled.
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

    /// Waits for so long, also when the task is cancelled.
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

/// The run.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension Scheduler {
    /// Runs until a condition holds, nothing can happen any more, or so many jobs have run.
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
            // Timers of the same instant come in any order, but what goes to one actor comes in its own.
            let due = state.timers.indices.filter { state.timers[$0].due <= state.time }
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

    /// Whether the time at which the running job has begun is not the one at which what it starts can run.
    var startsLater: Bool { delay + interruption > 0 }

    /// The next instant at which something is due; what sleeps for ever never is.
    var earliest: Int64? { timers.lazy.map(\.due).filter { $0 < .max }.min() }

    /// Which of some timers fires where one is picked: of those that hand jobs to the same actor, the earliest.
    func first(of due: [Int], insteadOf picked: Int) -> Int {
        guard let queue = timers[picked].target else { return picked }
        return due.filter { timers[$0].target == queue }.min { timers[$0].due < timers[$1].due } ?? picked
    }

    mutating func setTimer(after nanoseconds: Int64, process: Int, _ alarm: Scheduler.Alarm) {
        let due = time + delay + interruption + nanoseconds
        timers.append(Scheduler.Timer(id: makeID(), due: due, process: process, alarm: alarm))
    }

    /// Lets a unit run: a job of a process at once, one of an actor's after those before it.
    mutating func add(_ unit: Scheduler.Unit, to queue: SimulatedQueue?) {
        guard isAlive[unit.process.number] else { return }
        guard let queue else { return ready.append(unit) }
        if case .job(let job) = unit.work { queues[queue.number].jobs.append(job) }
        wake(queue)
    }

    mutating func wake(_ queue: SimulatedQueue) {
        let known = queues[queue.number]
        guard !known.isBusy, !known.isReady, !known.jobs.isEmpty, isAlive[queue.process.number] else { return }
        queues[queue.number].isReady = true
        ready.append(Scheduler.Unit(id: -1 - queue.number, process: queue.process, work: .queue(queue)))
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
