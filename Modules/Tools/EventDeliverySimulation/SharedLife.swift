import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Locks

/// A process that shares a directory with others: an app or an extension, with its engine.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
final class SharedLife: Sendable {
    /// The process's number in the model.
    let number: Int
    let world: SharedWorld
    let engine: DeliveryEngine
    let process: SimulatedProcess

    private var oracle: SharedOracle { world.oracle }
    private var now: Int64 { world.scheduler.now }

    init(in world: SharedWorld) {
        self.world = world
        number = world.oracle.look { state in
            state.lives.append(SharedOracle.Life())
            return state.lives.count - 1
        }
        let process = world.scheduler.makeProcess()
        self.process = process
        engine = DeliveryEngine(
            runtime: process.runtime(world.chance) { 0 },
            clock: SimulatedClock(world.scheduler, offset: SimulatedClock.Offset(), boot: 0),
            capacity: 8_192
        )
    }

    /// Runs work in the process, and waits until it is done.
    func run(_ name: String, _ body: @escaping @Sendable () async -> Void) async {
        let isDone = Mutex(false)
        Task(executorPreference: process) {
            await body()
            isDone.withLock { $0 = true }
        }
        let patience = now + 1_000_000_000_000
        while !isDone.withLock({ $0 }) {
            guard now < patience else { return oracle.report(.returns, name) }
            await world.scheduler.pause(2_000_000)
        }
    }

    /// Opens the engine.
    func open() async {
        await run("open") {
            let begin = self.now
            do {
                try await self.engine.open(self.world.configuration(of: self.number))
            } catch {
                self.oracle.report(.openOnce, "\(error)")
            }
            await self.looked(begin)
        }
    }

    /// Whether the process uses the directory: it neither waits for it nor has suspended its storage.
    private var holdsDirectory: Bool {
        get async { await engine.statistics().allSatisfy { $0.storageFailure == nil } }
    }

    /// Runs the life from the opening to the end, with concurrent calls.
    func live(_ life: SharedStory.Life) async {
        world.log("process \(number) begins")
        await open()
        for step in life.steps {
            await world.scheduler.pause(step.pause)
            world.log("process \(number): \(step.operation)")
            Task(executorPreference: process) { await self.perform(step.operation) }
        }
        if life.isKilled { end() } else { await close() }
    }

    /// Ends the process between two of its jobs.
    private func end() {
        oracle.look { $0.lives[number].isKilled = true }
        world.end(process)
        world.log("process \(number) is killed")
    }

    /// Closes the engine, and ends the process.
    func close() async {
        await run("close") {
            let begin = self.now
            let report = await self.engine.close(deadline: .milliseconds(100))
            self.world.log(
                "process \(self.number) closes: \(report.lanes.map { "\($0.pending) pending, \($0.lost) lost" })"
            )
            // A close resumes the storage.
            guard await self.holdsDirectory else { return }
            self.oracle.look { state in
                state.lives[self.number].isSuspended = false
                state.keep(life: self.number, before: begin)
            }
        }
        world.end(process)
        world.log("process \(number) has closed")
    }

    /// Records that the process knows the decisions and erasures stored before, if it uses the directory.
    private func looked(_ begin: Int64) async {
        guard await holdsDirectory else { return }
        let end = now
        oracle.look { state in
            if !state.lives[number].isSuspended { state.lives[number].looks.append((begin, end)) }
        }
    }

    private func perform(_ operation: Operation) async {
        switch operation {
        case .track(let lane, let count, let options, _): for _ in 0..<count { track(lane, options) }
        case .setConsent(let consent, let purpose): await setConsent(consent, purpose)
        case .erase(let user): await erase(user)
        case .eraseEverything: await erase(nil)
        case .identify(let user):
            let instant = now
            oracle.look { $0.identify(user, in: number, now: instant) }
            engine.identify(user: Users.id(user))
        case .clearUser:
            let instant = now
            oracle.look { $0.identify(nil, in: number, now: instant) }
            engine.clearUser()
        case .flush(let milliseconds): await flush(milliseconds)
        case .persist:
            let begin = now
            await engine.persist()
            guard await holdsDirectory else { return }
            oracle.look { $0.keep(life: number, before: begin) }
        case .suspendStorage:
            oracle.look { ($0.lives[number].isSuspended, $0.lives[number].hasSuspended) = (true, true) }
            await engine.suspendStorage()
        case .resumeStorage: await engine.resumeStorage()
        default: break
        }
    }

    /// Tracks an event of a purpose.
    func track(_ purpose: Int, _ options: TrackOptions) {
        let (life, instant) = (number, now)
        let number = oracle.look { $0.track(purpose: purpose, by: life, now: instant) }
        world.log("process \(life): event \(number)")
        engine.lane(SharedDestination(purposeNumber: purpose).lane)
            .track("e", parameters: ["n": .int(number)], options: options)
    }

    /// Flushes.
    ///
    /// Returns whether all events are delivered.
    @discardableResult
    func flush(_ milliseconds: Int) async -> Bool {
        let begin = now
        let report = await engine.flush(deadline: .milliseconds(milliseconds))
        world.log("process \(number): flush returns \(report.lanes.map(\.outcome))")
        // A flush that ended at its deadline may not have read the directory.
        if report.isDrained, now - begin < Int64(milliseconds) * 1_000_000 { await looked(begin) }
        return report.isDrained
    }

    /// Makes a decision about a purpose.
    func setConsent(_ consent: Consent, _ purpose: Int) async {
        let (life, begin) = (number, now)
        let call = oracle.look { $0.begin(consent, about: purpose, by: life, now: begin) }
        await finish(call) { try await engine.setConsent(consent, for: Lanes.purposes[purpose]) }
    }

    private func erase(_ user: Int?) async {
        let (life, begin) = (number, now)
        let call = oracle.look { $0.begin(nil, about: user, by: life, now: begin) }
        await finish(call) {
            if let user { try await engine.erase(user: Users.id(user)) } else { try await engine.eraseEverything() }
        }
    }

    private func finish(_ call: Int, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            return world.log("process \(number): call \(call) throws \(error)")
        }
        let end = now
        let deleted = oracle.look { state in
            state.end(call, now: end)
            return state.calls[call].consent.map { $0 == .denied } ?? true ? state.deleted(by: call) : []
        }
        world.log("process \(number): call \(call) returns")
        let left = deleted.isEmpty ? [] : world.eventsOnDisk.intersection(deleted).sorted()
        guard !left.isEmpty else { return }
        let isErasure = oracle.look { $0.calls[call].isErasure }
        oracle.report(isErasure ? .erasureBytes : .consentBytes, "events \(left)")
    }
}
