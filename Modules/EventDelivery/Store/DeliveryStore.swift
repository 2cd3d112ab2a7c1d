/// The owner of the outbox: stores what the intake has taken, leases batches to lanes, and settles them.
///
/// It runs on a serial queue of its own. Each method that changes anything commits before it returns, and publishes
/// the lane's books to the intake only then.
actor DeliveryStore {
    private let executor = SerialQueueExecutor(label: "EventDelivery.store")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let intake: Intake
    let clock: any DeliveryClock
    let diagnostics: DiagnosticStream
    let configuration: DeliveryConfiguration
    let boot: UInt32

    var outbox: any Outbox
    /// The file behind the outbox; `nil` while it is in memory.
    var file: OutboxFile?
    /// The lanes, by the intake's index.
    var lanes: [LaneState] = []
    /// Changes that the engine relies on already and that the disk had no room for.
    var unrecorded: [OutboxChange] = []
    /// A group that could not be stored yet.
    var retained: IntakeGroup?
    /// The memory of the last group's buffer, for the next one.
    var spareBuffer: [IntakeEntry] = []
    var storageFailure: OutboxError?
    var lastStorageAttempt = MonotonicInstant(nanoseconds: .min)
    /// When the oldest commit since the last barrier was made.
    var dirtySince: MonotonicInstant?
    var deviceID = ""
    var encoder = EventEncoder()
    var recentFates = RecentFates()
    var batchIDs: EventIDGenerator
    var isStopped = false
    var flushes: [FlushWaiter] = []
    /// The time that a receiver has named, where this device's wall clock agreed with it.
    var receiverTime: StoredMoment?

    init(intake: Intake, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        self.intake = intake
        self.clock = intake.clock
        self.diagnostics = diagnostics
        self.configuration = configuration
        var checksum = Checksum()
        checksum.add(intake.clock.bootID)
        boot = checksum.value
        outbox = InMemoryOutbox()
        var random = SystemRandomNumberGenerator()
        batchIDs = EventIDGenerator(seed: &random)
    }

    /// The present moment, as it is stored.
    var moment: StoredMoment {
        StoredMoment(wall: clock.wallTime(), monotonic: clock.monotonicTime(), boot: boot)
    }

    /// Makes a state for each lane that the intake has come to know since.
    func adoptLanes() {
        let known = intake.withState { $0.lanes.map(\.id) }
        for id in known.dropFirst(lanes.count) { lanes.append(makeLane(id)) }
    }

    /// The index of a lane, which is made where it is new.
    func index(of id: LaneID) -> Int {
        let index = intake.withState { $0.index(of: id) }
        adoptLanes()
        return index
    }

    private func makeLane(_ id: LaneID) -> LaneState {
        let number = (lanes.map(\.stored.number).max() ?? 0) + 1
        let destination = configuration.destinations.first { $0.lane == id }
        let consent = destination.map { consentNow(for: $0.purpose) } ?? .granted
        return LaneState(stored: StoredLane(number: number, id: id), destination: destination, consent: consent)
    }

    /// What the user has said about a purpose, last.
    private func consentNow(for purpose: ConsentPurpose) -> Consent {
        intake.withState { $0.consent[purpose] } ?? configuration.consent[purpose] ?? configuration.defaultConsent
    }

    /// Commits a change after those that the disk had no room for earlier.
    func commit(_ change: OutboxChange, barrier: Bool = false) throws(OutboxError) {
        do throws(OutboxError) {
            try commitAll(change, barrier: barrier)
        } catch .full {
            guard let ballast = file?.ballast, ballast.release() else { throw .full }
            try commitAll(change, barrier: barrier)
        }
        if barrier {
            dirtySince = nil
            if let file { HighWaterMark(lanes.map(\.stored)).write(queue: file.path) }
        } else if dirtySince == nil {
            dirtySince = clock.monotonicTime()
        }
        storageSucceeded()
    }

    private func commitAll(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        while let first = unrecorded.first {
            try outbox.commit(first, barrier: false)
            unrecorded.removeFirst()
        }
        try outbox.commit(change, barrier: barrier)
    }

    /// Commits a change that has happened already, such as an acknowledgement; without room it is kept in memory.
    func record(_ change: OutboxChange) {
        do throws(OutboxError) {
            try commit(change)
        } catch {
            unrecorded.append(change)
            storageFailed(error)
        }
    }

    /// Publishes the books of lanes.
    func publish(_ indices: some Sequence<Int>) {
        var ledgers: [Int: LaneLedger] = [:]
        for index in indices { ledgers[index] = lanes[index].stored.ledger }
        intake.withState { $0.publish(ledgers) }
    }

    func storageFailed(_ error: OutboxError) {
        lastStorageAttempt = clock.monotonicTime()
        if storageFailure != error { diagnostics.send(.storageFailed(error)) }
        storageFailure = error
    }

    private func storageSucceeded() {
        guard storageFailure != nil else { return }
        storageFailure = nil
        diagnostics.send(.storageRecovered)
        for lane in lanes { lane.wake.signal() }
    }
}

/// The file behind an outbox, and what lies beside it.
struct OutboxFile: Sendable {
    let directory: OutboxDirectory
    let path: String
    let inode: UInt64?
    let ballast: Ballast

    init(directory: OutboxDirectory, path: String) {
        self.directory = directory
        self.path = path
        inode = OutboxDirectory.inodeNumber(path)
        ballast = Ballast(queue: path)
    }
}
