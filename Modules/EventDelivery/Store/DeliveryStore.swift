import CoreTracker

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

    var outbox = BufferedOutbox(InMemoryOutbox())
    /// The file behind the outbox; `nil` while there is none.
    var file: OutboxFile?
    /// Files of ended processes that are still to be taken over; their owner locks are held.
    var orphans: [Orphan] = []
    /// Files of ended processes that are damaged or cannot be read for now.
    var leftFiles: [LeftFile] = []
    /// The names of files whose contents memory holds, since there was no room for a new file.
    var superseded: Set<String> = []
    /// The lanes, by the intake's index.
    var lanes: [LaneState] = []
    /// Receipts of events that are kept in memory until the storage takes them.
    var unconfirmed: [EventID: (lane: Int, continuation: CheckedContinuation<Receipt, Never>)] = [:]
    /// Why the storage takes nothing for now; `nil` when it does.
    var storageFailure: OutboxError?
    var nextStorageAttempt = MonotonicInstant(nanoseconds: .min)
    var storagePause = Duration.zero
    /// Whether the last changes may not have reached the disk, whatever the file says.
    var isSuspect = false
    var lastRebuild: MonotonicInstant?
    var readFailures = 0
    /// Where the last searches for something to evict have ended.
    var evictionStarts: [EvictionSearch: PackPlace] = [:]
    /// When the oldest commit since the last barrier was made.
    var dirtySince: MonotonicInstant?
    /// Whether the file is to be tidied up when there is time.
    var needsMaintenance = false
    var deviceID = ""
    /// The installation at the opening: that of all events that were tracked before, whatever reset came since.
    var openedDeviceID = ""
    var encoder = EventEncoder()
    let encoding = GroupEncoding()
    var recentFates = RecentFates()
    let batchIDs: EventIDGenerator
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
        var random = SystemRandomNumberGenerator()
        batchIDs = EventIDGenerator(seed: &random)
    }

    /// The present moment, as it is stored.
    var moment: StoredMoment {
        StoredMoment(wall: clock.wallTime(), monotonic: clock.monotonicTime(), boot: boot)
    }

    /// Makes a state for each lane that the intake has come to know since.
    func adoptLanes() {
        let known = intake.withLanes { $0.lanes.map(\.id) }
        for id in known.dropFirst(lanes.count) { lanes.append(makeLane(id)) }
    }

    /// The index of a lane, which is made where it is new.
    func index(of id: LaneID) -> Int {
        let index = intake.withLanes { $0.index(of: id) }
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
        intake.withLanes { $0.consent[purpose] } ?? configuration.consent[purpose] ?? configuration.defaultConsent
    }

    /// Commits a change with those that the disk did not take earlier.
    func commit(_ change: OutboxChange, barrier: Bool = false) throws(OutboxError) {
        do throws(OutboxError) {
            try outbox.commit(change, barrier: barrier)
        } catch .full {
            guard let ballast = file?.ballast, ballast.release() else { throw .full }
            try outbox.commit(change, barrier: barrier)
        }
        dirtySince = barrier ? nil : dirtySince ?? clock.monotonicTime()
        storageSucceeded()
    }

    /// Notes beside the file how far everything has come that a barrier has just made safe.
    func mark() {
        if let file { HighWaterMark(lanes.map(\.stored)).write(queue: file.path) }
    }

    /// Commits a change that has happened already, such as an acknowledgement; what the disk refuses is kept in memory.
    func record(_ change: OutboxChange) {
        guard storageFailure == nil else {
            outbox.keep(change)
            // What was delivered from memory may have made room in it.
            return intake.wake.signal()
        }
        do throws(OutboxError) {
            try commit(change)
        } catch {
            outbox.keep(change)
            handle(error)
        }
    }

    /// Publishes the books of lanes.
    func publish(_ indices: some Sequence<Int>) {
        var ledgers: [Int: LaneLedger] = [:]
        for index in indices { ledgers[index] = lanes[index].stored.ledger }
        intake.withLanes { $0.publish(ledgers) }
    }
}
