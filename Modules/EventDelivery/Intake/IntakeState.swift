/// What the intake's lock guards.
struct IntakeState: Sendable {
    /// What is known of a lane on the caller's side.
    struct Lane: Sendable {
        let id: LaneID
        /// The books as they were stored last.
        var stored = LaneLedger()
        /// Events that have been taken and are not stored yet.
        var waiting = 0
        /// Those of them that are still in the buffer.
        var buffered = 0
        /// Events that were refused here and are not in the stored books yet.
        var refused: [DropReason: Int] = [:]
        let denial = DenialFlag()

        /// The books as they are now.
        var ledger: LaneLedger {
            var ledger = stored
            ledger.accepted += waiting
            for (reason, count) in refused {
                ledger.accepted += count
                ledger.drop(count, reason)
            }
            return ledger
        }
    }

    /// Whether events are taken.
    enum Phase: Sendable {
        case unopened, open, closed
    }

    private(set) var lanes: [Lane] = []
    private var indices: [LaneID: Int] = [:]
    private var buffer: [IntakeEntry] = []
    /// How many of the buffered events have each priority, by its raw value.
    private var buffered = [Int](repeating: 0, count: TrackOptions.Priority.allCases.count)
    /// Events that are buffered or on their way into the outbox.
    private var waiting = 0
    private let capacity: Int
    private var isWriterIdle = false
    private let groupSize = 64
    /// Buffered events that are not relaxed.
    private var urgent = 0
    /// When the first relaxed event of those that are buffered came; they may wait for a second.
    private var relaxedSince: MonotonicInstant?
    var phase = Phase.unopened
    var generator: EventIDGenerator
    var identity: FrozenIdentity
    /// What the user has said about purposes since the engine was made.
    var consent: [ConsentPurpose: Consent] = [:]
    var limiter: TrackLimiter?
    var sessionTimeout: Duration?
    private var lastTrack: MonotonicInstant

    init(capacity: Int, now: Timestamp, monotonic: MonotonicInstant) {
        self.capacity = capacity
        var random = SystemRandomNumberGenerator()
        generator = EventIDGenerator(seed: &random)
        // The empty device id stands for this installation's own, which is known once the engine is open.
        let session = generator.next(at: now).description
        identity = FrozenIdentity(Identity(deviceID: "", sessionID: session, sessionStart: now))
        lastTrack = monotonic
    }

    /// The index of a lane, which is made on first use.
    mutating func index(of id: LaneID) -> Int {
        if let index = indices[id] { return index }
        indices[id] = lanes.count
        lanes.append(Lane(id: id))
        return lanes.count - 1
    }

    /// Begins a new session when the last event was too long ago.
    mutating func rollSession(now: MonotonicInstant, time: Timestamp) {
        if let sessionTimeout, lastTrack.duration(to: now) > sessionTimeout { startSession(at: time) }
        lastTrack = max(lastTrack, now)
    }

    /// Says why an event cannot be taken; `nil` when it can.
    mutating func refusal(lane: Int, name: String, options: TrackOptions) -> DropReason? {
        guard phase != .closed else { return .closed }
        guard !lanes[lane].denial.isRaised else { return .consentDenied }
        if limiter != nil, let reason = limiter?.refusal(of: name, session: identity.identity.sessionID, now: lastTrack)
        {
            return reason
        }
        guard waiting < capacity || makeRoom(for: options.priority) else { return .bufferFull }
        return nil
    }

    /// Counts an event that is not taken.
    mutating func refuse(lane: Int, _ reason: DropReason) -> DropReason {
        lanes[lane].refused[reason, default: 0] += 1
        return reason
    }

    /// Buffers an event; answers whether the writer has to be woken.
    mutating func append(_ entry: IntakeEntry) -> Bool {
        lanes[entry.lane].waiting += 1
        lanes[entry.lane].buffered += 1
        waiting += 1
        buffered[entry.options.priority.rawValue] += 1
        buffer.append(entry)
        let isRelaxed = entry.options.durability == .relaxed
        let isFirstRelaxed = isRelaxed && relaxedSince == nil
        if isRelaxed { relaxedSince = relaxedSince ?? lastTrack } else { urgent += 1 }
        guard phase == .open else { return false }
        let isUrgent = entry.options.durability == .strict || buffer.count >= groupSize
        if isUrgent, buffer.count <= groupSize {
            isWriterIdle = false
            return true
        }
        guard isWriterIdle, !isRelaxed || isFirstRelaxed else { return false }
        // A relaxed event wakes the writer only to have it set its alarm.
        isWriterIdle = isRelaxed
        return true
    }

    /// When relaxed events have to be stored at the latest.
    var relaxedDue: MonotonicInstant? { relaxedSince?.advanced(by: .seconds(1)) }

    /// Takes out what is buffered, and leaves an empty buffer's memory in its place; an empty group leaves the intake
    /// ready to wake the writer.
    ///
    /// A few relaxed events alone stay until they are due, unless all are asked for.
    mutating func takeGroup(all: Bool, now: MonotonicInstant, spare: [IntakeEntry]) -> IntakeGroup {
        let isDue = relaxedDue.map { now >= $0 } ?? true
        guard all || urgent > 0 || buffer.count >= groupSize || isDue else {
            isWriterIdle = true
            return IntakeGroup(entries: spare)
        }
        var group = IntakeGroup(entries: buffer)
        buffer = spare
        for priority in buffered.indices { buffered[priority] = 0 }
        urgent = 0
        relaxedSince = nil
        for index in lanes.indices where lanes[index].buffered > 0 || !lanes[index].refused.isEmpty {
            group.counts[index] = lanes[index].buffered
            lanes[index].buffered = 0
            if !lanes[index].refused.isEmpty { group.refused[index] = lanes[index].refused }
        }
        if group.isEmpty { isWriterIdle = true }
        return group
    }

    /// Notes that a group is in the outbox: the stored books now hold what was waiting.
    mutating func recordStored(_ group: IntakeGroup, ledgers: [Int: LaneLedger]) {
        for (lane, count) in group.counts {
            lanes[lane].waiting -= count
            waiting -= count
        }
        for (lane, refused) in group.refused {
            for (reason, count) in refused {
                lanes[lane].refused[reason, default: 0] -= count
                if lanes[lane].refused[reason] == 0 { lanes[lane].refused[reason] = nil }
            }
        }
        publish(ledgers)
    }

    /// Publishes the stored books of lanes.
    mutating func publish(_ ledgers: [Int: LaneLedger]) {
        for (lane, ledger) in ledgers { lanes[lane].stored = ledger }
    }

    /// Denies or allows lanes; what is buffered for a denied lane is taken out and answered.
    mutating func setDenied(_ isDenied: Bool, lanes denied: [Int]) -> [IntakeEntry] {
        for lane in denied { lanes[lane].denial.isRaised = isDenied }
        guard isDenied else { return [] }
        let removed = buffer.filter { denied.contains($0.lane) }
        buffer.removeAll { denied.contains($0.lane) }
        for entry in removed { giveUp(entry, .consentDenied) }
        return removed
    }

    /// Begins a new session; the next event is its first.
    mutating func startSession(id: String? = nil, at time: Timestamp) {
        var next = identity.identity
        next.sessionID = id ?? generator.next(at: time).description
        next.sessionStart = time
        identity = FrozenIdentity(next)
    }

    mutating func setUser(_ user: String?) {
        var next = identity.identity
        next.userID = user
        identity = FrozenIdentity(next)
    }

    /// Takes events from now on, under an installation that is known.
    mutating func open(limits: TrackLimits, sessionTimeout: Duration?, deviceID: String) {
        limiter = limits == .none ? nil : TrackLimiter(limits)
        self.sessionTimeout = sessionTimeout
        if phase == .unopened { phase = .open }
        guard identity.identity.deviceID.isEmpty else { return }
        var next = identity.identity
        next.deviceID = deviceID
        identity = FrozenIdentity(next)
    }

    /// Forgets user, session and installation.
    mutating func reset(deviceID: String, at time: Timestamp) {
        startSession(at: time)
        var next = identity.identity
        next.userID = nil
        next.deviceID = deviceID
        identity = FrozenIdentity(next)
    }

    /// Whether an event is buffered.
    func isBuffered(_ id: EventID) -> LaneID? {
        buffer.first { $0.id == id }.map { lanes[$0.lane].id }
    }

    /// Events that are buffered or on their way into the outbox.
    var waitingCount: Int { waiting }

    /// Gives up the newest buffered event of a lower priority, so that a more important one finds room.
    ///
    /// Takes the same short time however full the buffer is, as long as no event of a lower priority is in it.
    private mutating func makeRoom(for priority: TrackOptions.Priority) -> Bool {
        guard buffered.prefix(priority.rawValue).contains(where: { $0 > 0 }),
            let index = buffer.lastIndex(where: { $0.options.priority < priority })
        else { return false }
        let entry = buffer.remove(at: index)
        giveUp(entry, .bufferFull)
        entry.receipt?.resume(returning: Receipt(id: entry.id, outcome: .lost(.bufferFull)))
        return true
    }

    private mutating func giveUp(_ entry: IntakeEntry, _ reason: DropReason) {
        lanes[entry.lane].waiting -= 1
        lanes[entry.lane].buffered -= 1
        waiting -= 1
        buffered[entry.options.priority.rawValue] -= 1
        if entry.options.durability != .relaxed { urgent -= 1 }
        _ = refuse(lane: entry.lane, reason)
    }
}

/// What the writer takes from the intake in one go.
struct IntakeGroup: Sendable {
    var entries: [IntakeEntry]
    /// Events by lane.
    var counts: [Int: Int] = [:]
    /// Refusals by lane that the stored books do not hold yet.
    var refused: [Int: [DropReason: Int]] = [:]

    var isEmpty: Bool { entries.isEmpty && refused.isEmpty }
}
