import CoreTracker
import EventDeliveryAPI
import EventOutbox

/// A writer that turns a group of tracked events into one outbox change: encoded by the destinations, in segments by
/// lane.
struct GroupWriter {
    /// The maximum number of events in one segment.
    ///
    /// It is small to limit the loss if a row's header is damaged.
    private static let segmentEvents = 256
    /// The maximum size of one segment in bytes.
    private static let segmentBytes = 65_536

    /// The lanes as they will be after the commit.
    private(set) var lanes: [LaneQueue]
    /// The outbox change.
    ///
    /// It is complete after ``write(_:encoder:)``.
    var change = OutboxChange()
    /// Whether a lane's ledger has changed, by its index.
    private var isTouched: [Bool]
    /// The effects besides the outbox change.
    private(set) var effects = Effects()
    private var open: [OpenSegment?]
    /// The state of the store, without its lanes.
    private let base: GroupEncoder.Base
    /// The greatest decision number of an event.
    private var greatestNumber: UInt64 = 0
    private let consentBudget: Int
    /// The total number of events waiting for consent, or `nil` until it is needed.
    private var awaiting: Int?
    private let redactor: SensitiveValueRedactor
    private(set) var middleware: MiddlewareChain

    /// The effects of a group besides its outbox change.
    struct Effects {
        /// The receipts to complete after the commit.
        fileprivate(set) var receipts: [(id: EventID, entry: WaitingReceipts.Entry)] = []
        /// The dropped events.
        fileprivate(set) var losses: [SettledEvents] = []
        /// The numbers of events covered by erasures, by the decision numbers of the erasures.
        fileprivate(set) var erased: [UInt64: Int] = [:]
        /// The numbers of dropped events, by the index of their lane and by their reason.
        fileprivate(set) var drops: [Int: [DropReason: Int]] = [:]
        /// Whether the commit must survive a power loss.
        fileprivate(set) var isStrict = false
    }

    init(
        _ base: GroupEncoder.Base,
        consentBudget: Int,
        redactor: SensitiveValueRedactor,
        middleware: MiddlewareChain
    ) {
        lanes = base.lanes
        open = Array(repeating: nil, count: base.lanes.count)
        isTouched = Array(repeating: false, count: base.lanes.count)
        // A second reference to the lanes would make their first change copy them.
        var base = base
        base.lanes = []
        self.base = base
        self.consentBudget = consentBudget
        self.redactor = redactor
        self.middleware = middleware
        change.state = base.changedState
    }

    /// The lanes whose ledger has changed.
    var touched: [Int] { isTouched.indices.filter { isTouched[$0] } }

    /// Encodes a group into ``change``.
    mutating func write(_ group: BufferedGroup, encoder: inout EventEncoder) {
        for (lane, reasons) in group.refused {
            for (reason, count) in reasons {
                lanes[lane].stored.ledger.accepted += count
                countLoss(count, reason, lane: lane)
            }
        }
        group.forEach { write($0, number: group.numbers.stored($0.number), encoder: &encoder) }
        for lane in open.indices { closeSegment(of: lane) }
        saveLanes()
        // The next decision must get a greater decision number than every stored event, even after a restart.
        if greatestNumber > (change.state ?? base.exclusions.state).number {
            var state = change.state ?? base.exclusions.state
            state.number = greatestNumber
            change.state = state
        }
    }

    /// Drops a segment to stay within the budget, and counts its events.
    ///
    /// ``saveLanes()`` must follow.
    mutating func evict(_ segment: SegmentSummary, ids: [EventID], lane: Int, reason: DropReason) {
        effects.losses.append(SettledEvents(.dropped(reason), lane: lanes[lane].id, ids, count: segment.count))
        change.segments.removed.append(segment.place)
        lanes[lane].account(segment, sign: -1)
        countLoss(segment.count, reason, lane: lane)
    }

    /// Adds the rows of the touched lanes to the change.
    mutating func saveLanes() { change.lanes.saved = touched.map { lanes[$0].stored } }

    /// Adds lanes created since.
    ///
    /// They have no events in this group.
    mutating func adopt(_ known: [LaneQueue]) {
        lanes += known.dropFirst(lanes.count)
    }

    private mutating func write(_ entry: BufferedEvent, number: UInt64, encoder: inout EventEncoder) {
        lanes[entry.lane].stored.ledger.accepted += 1
        isTouched[entry.lane] = true
        effects.isStrict = effects.isStrict || entry.options.durability == .strict
        guard let destination = lanes[entry.lane].destination else { return lose(entry, .noDestination) }
        let (consent, user) = (lanes[entry.lane].consent.value, entry.identity.identity.userHash)
        if let erasure = base.exclusions.erasure(of: user, number) { return lose(entry, .erased, by: erasure) }
        guard number >= lanes[entry.lane].stored.void, consent != .denied else { return lose(entry, .consentDenied) }
        if consent == .unknown {
            awaiting = countAwaitingConsent
            if countAwaitingConsent >= consentBudget { return lose(entry, .consentBudget) }
        }
        encoder.reset()
        var event = OutgoingEvent(
            id: entry.id,
            name: entry.name,
            parameters: redacted(entry.parameters, to: destination, &encoder),
            defaults: redacted(entry.defaults, to: destination, &encoder),
            time: entry.time,
            identity: redacted(entry.identity.identity, to: destination, &encoder),
            sequence: UInt64(clamping: nextNumber(of: entry.lane)),
            update: entry.update?.kind
        )
        event.removedTraits = entry.update?.removed ?? []
        event.awaitsConsent = consent == .unknown
        if !middleware.isEmpty, let reason = middleware.process(&event, for: destination, redactor, &encoder) {
            return lose(entry, reason)
        }
        do throws(EventEncodingError) {
            try destination.encode(event, into: &encoder)
        } catch {
            return lose(entry, .rule(error.rule))
        }
        let key = destination.batchKey(of: event)
        guard encoder.byteCount <= destination.limits.eventBytes, key.utf8.count <= Segment.maximumKeyBytes else {
            return lose(entry, .tooLarge)
        }
        let hasAbsent = entry.parameters.hasAbsent || entry.defaults.hasAbsent
        countAdjustments(of: encoder, hasAbsent: hasAbsent, lane: entry.lane)
        greatestNumber = max(greatestNumber, number)
        if consent == .unknown { awaiting = countAwaitingConsent + 1 }
        encoder.json.withBytes { append(entry, number: number, key: key, fragment: $0) }
        addReceipt(of: entry, number: number, .stored)
    }

    private mutating func append(
        _ entry: BufferedEvent,
        number: UInt64,
        key: String,
        fragment: UnsafeBufferPointer<UInt8>
    ) {
        let lane = entry.lane
        let (priority, user) = (entry.options.priority, entry.identity.identity.userHash)
        if open[lane]?.takes(fragment.count, number: number, key: key, user: user, priority: priority) == false {
            closeSegment(of: lane)
        }
        if open[lane] == nil {
            let limits = lanes[lane].limits
            open[lane] = OpenSegment(
                Segment(
                    place: SegmentPlace(lane: lanes[lane].stored.number, number: lanes[lane].stored.nextNumber),
                    priority: priority,
                    key: key,
                    user: user,
                    decision: number,
                    stored: base.moment
                ),
                events: GroupWriter.segmentEvents(for: limits),
                bytes: min(GroupWriter.segmentBytes, (limits?.bodyBytes ?? 1) / 2)
            )
        }
        open[lane]?.append(id: entry.id, fragment: fragment)
    }

    /// The maximum number of events in one segment.
    ///
    /// Segments of this size fill a request as far as equal segments can.
    private static func segmentEvents(for limits: BatchLimits?) -> Int {
        let events = max(1, limits?.events ?? 1)
        return events / ((events - 1) / GroupWriter.segmentEvents + 1)
    }

    private mutating func closeSegment(of lane: Int) {
        guard let segment = open[lane]?.segment else { return }
        open[lane] = nil
        lanes[lane].stored.nextNumber += Int64(segment.count)
        change.segments.saved.append(segment)
        lanes[lane].account(segment.summary, sign: 1)
    }

    private func redacted(
        _ parameters: EventParameters,
        to destination: any Destination,
        _ encoder: inout EventEncoder
    ) -> EventParameters {
        redactor.apply(to: parameters, for: destination.purpose) { encoder.recordAdjustment($0) }
    }

    private func openCount(_ lane: Int) -> Int { open[lane]?.segment.count ?? 0 }

    /// The total number of events waiting for consent.
    private var countAwaitingConsent: Int {
        awaiting ?? lanes.reduce(0) { $0 + ($1.consent.value == .unknown ? $1.stored.counts.total : 0) }
    }

    private func nextNumber(of lane: Int) -> Int64 {
        lanes[lane].stored.nextNumber + Int64(openCount(lane))
    }

    private func redacted(
        _ tracked: Identity,
        to destination: any Destination,
        _ encoder: inout EventEncoder
    ) -> Identity {
        guard tracked.deviceID.isEmpty || tracked.sensitiveUser != nil else { return tracked }
        var identity = base.identity.completed(tracked, deviceID: base.deviceID)
        identity.userID = redactor.user(of: identity, for: destination.purpose) { encoder.recordAdjustment($0) }
        identity.sensitiveUser = nil
        return identity
    }

    private mutating func countAdjustments(of encoder: EventEncoder, hasAbsent: Bool, lane: Int) {
        if encoder.json.coercions > 0 { lanes[lane].stored.ledger.adjust(1, "value_without_json") }
        if hasAbsent { lanes[lane].stored.ledger.adjust(1, "value_nil") }
        for (rule, count) in encoder.adjustments { lanes[lane].stored.ledger.adjust(count, rule) }
    }

    private mutating func lose(_ entry: BufferedEvent, _ reason: DropReason, by erasure: UInt64? = nil) {
        countLoss(1, reason, lane: entry.lane)
        let lane = lanes[entry.lane].id
        if let last = effects.losses.last, last.lane == lane, last.dropReason == reason {
            effects.losses[effects.losses.count - 1].append(entry.id)
        } else {
            effects.losses.append(SettledEvents(.dropped(reason), lane: lane, [entry.id]))
        }
        if let erasure { effects.erased[erasure, default: 0] += 1 }
        addReceipt(of: entry, .dropped(reason))
    }

    private mutating func addReceipt(of entry: BufferedEvent, number: UInt64 = 0, _ outcome: Receipt.Outcome) {
        guard base.hasListeners || entry.receipt != nil else { return }
        let receipt = WaitingReceipts.Entry(
            lane: entry.lane,
            laneID: lanes[entry.lane].id,
            user: entry.identity.identity.userHash,
            decision: number,
            waiting: entry.receipt,
            outcome: outcome
        )
        effects.receipts.append((entry.id, receipt))
    }

    private mutating func countLoss(_ count: Int, _ reason: DropReason, lane: Int) {
        isTouched[lane] = true
        lanes[lane].stored.ledger.drop(count, reason)
        effects.drops[lane, default: [:]][reason, default: 0] += count
    }
}

/// A segment with room for more events.
private struct OpenSegment {
    private(set) var segment: Segment
    private let seed: Checksum
    private let maximumEvents: Int
    private let maximumBytes: Int

    init(_ segment: Segment, events: Int, bytes: Int) {
        self.segment = segment
        seed = segment.seed
        maximumEvents = events
        maximumBytes = bytes
    }

    /// Whether an event belongs in this segment and fits.
    func takes(
        _ bytes: Int,
        number: UInt64,
        key: String,
        user: UserHash,
        priority: TrackOptions.Priority
    ) -> Bool {
        // Compare keys by bytes: different user ids may be equal as strings.
        segment.count < maximumEvents && segment.records.count + bytes <= maximumBytes
            && segment.key.utf8.elementsEqual(key.utf8) && segment.priority == priority
            && segment.user == user && segment.decision == number
    }

    mutating func append(id: EventID, fragment: UnsafeBufferPointer<UInt8>) {
        segment.append(id: id, fragment: fragment, seed: seed)
    }
}
