import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Locks

/// A process of a story: an app with its engine, several callers, and a task that checks promises.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
final class Life: Sendable {
    /// The number of the simulated calling thread.
    private final class Thread: Sendable {
        let number = Mutex(0)
    }

    /// The time in nanoseconds by which a call may exceed its promised duration, because other jobs run first.
    static let slack: Int64 = 1_000_000_000
    /// The maximum time in nanoseconds after the end of all faults until every event is settled.
    private static let patience: Int64 = 200_000 * 1_000_000_000

    let plan: Story.Life
    let number: Int
    let isLast: Bool
    let world: World
    let engine: DeliveryEngine
    let process: SimulatedProcess
    /// The settings of a product, and its tracker of exposures to feature flags.
    let flags = ProductSettings(0) { _ in [] }
    let exposures = ExposureCounter()
    private let thread = Thread()
    /// The number of calls in progress, by name.
    private let calls = Mutex<[String: Int]>([:])
    /// The contents of the files when the storage was suspended.
    private let contents = Mutex<[String: [UInt8]]?>(nil)
    /// The time for which the process was frozen, and whether it can be frozen.
    private let freezing = Mutex<(total: Int64, isPossible: Bool)>((0, true))

    var oracle: Oracle { world.oracle }
    var scheduler: Scheduler { world.scheduler }

    init(_ plan: Story.Life, number: Int, isLast: Bool, world: World) {
        self.plan = plan
        self.number = number
        self.isLast = isLast
        self.world = world
        let process = world.scheduler.makeProcess()
        self.process = process
        engine = DeliveryEngine(
            runtime: process.runtime(world.engineChance) { [thread] in thread.number.withLock { $0 } },
            clock: SimulatedClock(world.scheduler, offset: world.offset, boot: world.boot.withLock { $0 }),
            capacity: plan.settings.capacity
        )
    }

    /// The contents of the files when the storage was suspended.
    var asleep: [String: [UInt8]]? { contents.withLock { $0 } }

    /// Records the contents of the files when the storage is suspended.
    func sleep(_ files: [String: [UInt8]]) { contents.withLock { $0 = files } }

    /// The current time in nanoseconds, without the time for which the process was frozen.
    var runningTime: Int64 { scheduler.now - frozenTime }

    /// The time in nanoseconds for which the process was frozen.
    var frozenTime: Int64 { freezing.withLock { $0.total } }

    /// Freezes the process for a time, at most until the end of its life.
    func freeze(_ milliseconds: Int) {
        guard freezing.withLock({ $0.isPossible }), !scheduler.isFrozen(process) else { return }
        scheduler.freeze(process)
        let start = scheduler.now
        Task(executorPreference: world.supervisor) {
            let end = start + Int64(milliseconds) * 1_000_000
            while self.freezing.withLock({ $0.isPossible }), self.scheduler.now < end {
                await self.scheduler.pause(min(end - self.scheduler.now, 100_000_000))
            }
            guard self.scheduler.isAlive(self.process) else { return }
            self.thaw(since: start)
        }
    }

    private func thaw(since start: Int64) {
        let now = scheduler.now
        freezing.withLock { $0.total += now - start }
        oracle.look { $0.continued(now: now) }
        scheduler.thaw(process)
        world.log("the process continues")
    }

    /// Ends a freeze, and allows no further ones.
    private func endFreezing() async {
        freezing.withLock { $0.isPossible = false }
        while scheduler.isFrozen(process) { await scheduler.pause(10_000_000) }
    }

    /// Simulates the thread of a caller for the following calls in this job.
    func become(_ caller: Int) { thread.number.withLock { $0 = caller * 7 % 32 } }

    /// Starts a task in the process that must return.
    @discardableResult
    func spawn(_ name: String, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        calls.withLock { $0[name, default: 0] += 1 }
        return Task(executorPreference: process) {
            await body()
            self.calls.withLock { calls in
                calls[name] = calls[name].flatMap { $0 > 1 ? $0 - 1 : nil }
            }
        }
    }

    /// Runs the life from its start to its end.
    func live() async {
        if isLast { world.disk?.weather = .fair }
        let (settings, now, isFair) = (plan.settings, scheduler.now, world.disk.map { $0.weather == .fair } ?? true)
        let isFree = !world.isDirectoryHeld
        oracle.look { $0.begin(life: number, settings: settings, now: now, isFair: isFair, isFree: isFree) }
        world.log("life \(number + 1) begins")
        // The app repeats decisions if they may not have been stored.
        for (purpose, consent) in oracle.look({ $0.rememberedConsent }) {
            try? await engine.setConsent(consent, for: purpose)
        }
        spawn("open") { await self.open() }
        for caller in plan.callers.indices {
            spawn("caller") {
                for step in self.plan.callers[caller] {
                    await self.scheduler.pause(step.pause)
                    await self.perform(step.operation, caller: caller)
                }
            }
        }
        await watch(for: plan.length)
        await endFreezing()
        if isLast { await settle() }
        await close()
        await end()
    }

    /// Ends the process between two jobs or during a disk access.
    private func end() async {
        if let disk = world.disk, plan.ending != .close, plan.length % 2 == 0, plan.holdsDirectory == 0 {
            disk.end(process, afterAccesses: 1 + Int(plan.length % 37))
            let patience = scheduler.now + 3_000_000_000
            while scheduler.isAlive(process), scheduler.now < patience { await scheduler.pause(1_000_000) }
        }
        let now = scheduler.now
        checkAsleep()
        scheduler.kill(process)
        world.log("life \(number + 1) ends by \(plan.ending)")
        oracle.look { $0.end(by: plan.ending, now: now) }
        world.releaseDirectory()
        if plan.holdsDirectory > 0 { return world.holdDirectory(by: process, for: plan.holdsDirectory) }
        process.releaseLocks()
        world.disk?.end(process, by: plan.ending)
        if plan.ending == .powerLoss { world.boot.withLock { $0 += 1 } }
    }

    /// Opens the engine.
    private func open() async {
        await scheduler.pause(plan.settings.opensAfter)
        do {
            world.log("open")
            oracle.look { $0.isOpening = true }
            try await engine.open(world.configuration(of: self))
        } catch {
            if !oracle.look({ $0.isClosing }) { oracle.report(.openOnce, "\(error)") }
            return world.log("open throws")
        }
        let now = scheduler.now
        oracle.look { $0.opened(now: now) }
        world.log("open returns")
        let statistics = await engine.statistics()
        oracle.look { $0.checkLeft(statistics) }
    }

    /// Periodically checks the promises independent of a call.
    private func watch(for nanoseconds: Int64) async {
        let end = scheduler.now + nanoseconds
        let interval = max(150_000_000, nanoseconds / 30)
        while scheduler.now < end {
            await scheduler.pause(min(interval, end - scheduler.now))
            guard !scheduler.isFrozen(process) else { continue }
            let (now, unstored) = (scheduler.now, engine.unstoredCount)
            oracle.look { state in
                state.checkStored(unstored, now: now)
                state.checkIndependence(now: now)
            }
        }
    }

    /// Ends all faults, and waits until every event is settled.
    private func settle() async {
        let end = scheduler.now + Life.patience
        while calls.withLock({ calls in ["caller", "open", "close"].contains { calls[$0] ?? 0 > 0 } }) {
            await scheduler.pause(1_000_000_000)
            guard scheduler.now < end else { return oracle.report(.returns, "\(calls.withLock { $0 })") }
        }
        world.log("all faults end")
        world.releaseDirectory()
        world.network.heal()
        world.offset.correct()
        release()
        if oracle.look({ $0.mayBeSuspended }) { await resumeStorage() }
        if !oracle.look({ $0.isClosing }) { spawn("drain") { await self.drain() } }
        while calls.withLock({ !$0.isEmpty }) {
            await scheduler.pause(1_000_000_000)
            guard scheduler.now < end else { return oracle.report(.returns, "\(calls.withLock { $0 })") }
        }
    }

    private func drain() async {
        // The grants below must be the last decisions, but a caller's decision may not have reached the engine yet.
        while calls.withLock({ $0["setConsent"] ?? 0 }) > 0 { await scheduler.pause(1_000_000) }
        var undecided = Array(Lanes.purposes.indices)
        for _ in 0..<60 {
            // A grant that could not be stored is repeated.
            for purpose in undecided where await setConsent(.granted, purpose: purpose) {
                undecided.removeAll { $0 == purpose }
            }
            await engine.resume()
            let isDrained = await flush(3_600_000).isDrained
            // A torn file can contain events that its lanes do not count. They are found when the next batch is formed.
            if isDrained { await scheduler.pause(1_000_000_000) }
            if isDrained, await engine.statistics().allSatisfy({ $0.ledger.pending == 0 }) { break }
            // A receiver may have requested a wait of one day.
            await scheduler.pause(3_600_000_000_000)
        }
        await audit()
        await explainAll()
        let statistics = await engine.statistics()
        oracle.look { $0.account(for: statistics) }
        let refused = await engine.quarantine.events().map(\.id.description)
        oracle.look { $0.checkQuarantined(refused) }
    }

    /// Calls `explain` for each sent event missing at the receiver without an excuse.
    private func explainAll() async {
        let missing = oracle.look { state in
            state.events.filter { !$0.hasArrived && $0.excuse == nil && !$0.id.isEmpty }.map(\.id)
        }
        for id in missing { await explain(id) }
    }

    private func close() async {
        guard plan.ending == .close, !oracle.look({ $0.isClosing }) else { return }
        spawn("close") { await self.close(1_000, caller: 0) }
        let end = scheduler.now + 60_000_000_000
        while calls.withLock({ $0["close"] ?? 0 }) > 0 {
            await scheduler.pause(100_000_000)
            guard scheduler.now < end else { return oracle.report(.returns, "close") }
        }
        // Calls for dropped events must return too.
        await scheduler.pause(1_000_000_000)
        let left = calls.withLock { $0 }
        if isLast, !left.isEmpty { oracle.report(.returns, "\(left)") }
    }
}

/// A tracker that counts exposures to feature flags.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
final class ExposureCounter: CoreTracker, FirebaseService, AwesomeTrackingService {
    private let count = Mutex(0)

    var firebaseService: any FirebaseService { self }
    var awesomeTrackingService: any AwesomeTrackingService { self }

    func track(_ event: FirebaseEvent) { count.withLock { $0 += 1 } }
    func track(_ event: AwesomeTrackingEvent) {}

    /// Returns the number of exposures since the last call.
    func take() -> Int {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }
}
