import CoreTracker
import EventOutbox
import EventTracking

/// A writer that turns a group of tracked events into one outbox change: encoded by the destinations, in segments by
/// lane.
struct GroupWriter {
    /// The maximum number of events in one segment.
    ///
    /// It is small to limit the loss if a row's header is damaged.
    private static let segmentEvents = 256
    /// The maximum size of one segment in bytes.
    private static let segmentBytes = 65_536

    /// The lanes that the group changes, copied at their first change, as they will be after the commit.
    private(set) var lanes: [LaneQueue] = []
    /// The index of each of ``lanes``.
    private(set) var indices: [Int] = []
    /// The open segment of each of ``lanes``.
    private var open: [OpenSegment?] = []
    /// The place of each changed lane in ``lanes``, by the lane's index.
    private var places: [Int: Int] = [:]
    /// The outbox change.
    ///
    /// It is complete after ``saveLanes(_:isFlood:)``.
    var change = OutboxChange()
    /// The segments of the group, oldest first.
    private(set) var segments: [Segment] = []
    /// The effects besides the outbox change.
    private(set) var effects = Effects()
    private let base: Base
    /// The total number of events waiting for consent, or `nil` until it is needed.
    private var awaiting: Int?
    private let redactor: SensitiveValueRedactor
    private let middleware: MiddlewareChain

    /// The state of the store, without its lanes.
    struct Base {
        /// The number of decisions so far.
        let number: UInt64
        /// The decisions in effect.
        let privacy: CurrentDecisions
        /// The row of the state, if it has changed.
        let changedState: StateRow?
        /// The time, by both clocks.
        let moment: StoredMoment
        /// The engine's identity, which completes the identity of events from before the opening.
        let identity: CurrentIdentity
        /// The installation's id, for events tracked before it was known.
        let deviceID: String
        /// Whether there are listeners of outcomes, so each event has a receipt.
        let hasListeners: Bool
        /// The maximum number of events waiting for consent.
        let consentBudget: Int
    }

    /// The effects of a group besides its outbox change.
    struct Effects {
        /// The receipts to complete after the commit.
        fileprivate(set) var receipts: [(id: EventID, entry: WaitingReceipts.Entry)] = []
        /// The dropped events.
        fileprivate(set) var losses: [SettledEvents] = []
        /// The numbers of dropped events, by the index of their lane and by their reason.
        fileprivate(set) var drops: [Int: [DropReason: Int]] = [:]
        /// Whether the commit must survive a power loss.
        fileprivate(set) var isStrict = false
    }

    init(_ base: Base, redactor: SensitiveValueRedactor, middleware: MiddlewareChain) {
        self.base = base
        self.redactor = redactor
        self.middleware = middleware
        if let state = base.changedState { change.save(state) }
    }

    /// Encodes a group into ``change``.
    ///
    /// - Parameters:
    ///   - group: The tracked events.
    ///   - table: The store's lanes.
    ///   - encoder: The encoder.
    mutating func write(_ group: BufferedGroup, lanes table: LaneTable, encoder: inout EventEncoder) {
        for (index, reasons) in group.refused {
            let place = place(of: index, in: table)
            for (reason, count) in reasons {
                lanes[place].stored.ledger.accepted += count
                countLoss(count, reason, at: place)
            }
        }
        group.forEach { write($0, lanes: table, encoder: &encoder) }
        for place in lanes.indices { closeSegment(at: place) }
    }

    /// Drops a segment to stay within the budget, and counts its events.
    mutating func evict(
        _ segment: SegmentSummary,
        ids: [EventID],
        lane: Int,
        in table: LaneTable,
        _ reason: DropReason
    ) {
        let place = place(of: lane, in: table)
        effects.losses.append(SettledEvents(.dropped(reason), lane: lanes[place].id, ids, count: segment.count))
        change.remove(segment.place)
        lanes[place].account(segment, sign: -1)
        countLoss(segment.count, reason, at: place)
    }

    /// Drops the oldest segments of the group to stay within the budget, and counts their events.
    mutating func evictOwn(_ count: Int, _ reason: DropReason) {
        let places = lanes.indices.keyed { (lanes[$0].stored.number, $0) }
        var dropped: Set<EventID> = []
        for segment in segments.prefix(count) {
            guard let place = places[segment.place.lane] else { continue }
            let ids = segment.read().map(\.id)
            dropped.formUnion(ids)
            effects.losses.append(SettledEvents(.dropped(reason), lane: lanes[place].id, ids))
            lanes[place].account(segment.summary, sign: -1)
            countLoss(segment.count, reason, at: place)
            // The lane's oldest segment is found again after a removal.
            change.remove(segment.place)
        }
        segments.removeFirst(count)
        for index in effects.receipts.indices where dropped.contains(effects.receipts[index].id) {
            effects.receipts[index].entry.outcome = .dropped(reason)
        }
    }

    /// Adds the rows of the changed lanes to the change.
    ///
    /// - Parameters:
    ///   - newID: Returns the id of a batch.
    ///   - isFlood: Whether more events follow, which are to share the batches of these.
    mutating func saveLanes(_ newID: () -> EventID, isFlood: Bool) {
        let groups = Dictionary(grouping: isFlood ? [] : segments, by: \.place.lane)
        for place in lanes.indices {
            lanes[place].planBatch(of: groups[lanes[place].stored.number] ?? [], newID)
            change.save(lanes[place].stored)
        }
    }

    /// Returns the counts of a lane after the change.
    func counts(of index: Int, in table: LaneTable) -> LaneCounts {
        places[index].map { lanes[$0].stored.counts } ?? table.queues[index].stored.counts
    }

    /// Returns the place of a lane in ``lanes``, and copies the lane at its first change.
    private mutating func place(of index: Int, in table: LaneTable) -> Int {
        if let place = places[index] { return place }
        places[index] = lanes.count
        lanes.append(table[index])
        indices.append(index)
        open.append(nil)
        return lanes.count - 1
    }

    private mutating func write(_ entry: BufferedEvent, lanes table: LaneTable, encoder: inout EventEncoder) {
        let place = place(of: entry.lane, in: table)
        lanes[place].stored.ledger.accepted += 1
        effects.isStrict = effects.isStrict || entry.options.durability == .strict
        guard let destination = lanes[place].destination else { return lose(entry, .noDestination, at: place) }
        let consent = lanes[place].consent.value
        guard consent != .denied else { return lose(entry, .consentDenied, at: place) }
        // An update may have waited for the destinations while a decision was made.
        if entry.update != nil,
            let reason = base.privacy.refusal(of: destination.purpose, entry.identity.identity.userHash, entry.number)
        {
            return lose(entry, reason, at: place)
        }
        if consent == .unknown {
            let count = awaiting ?? countAwaitingConsent(in: table)
            awaiting = count
            if count >= base.consentBudget { return lose(entry, .consentBudget, at: place) }
        }
        encoder.reset()
        var event = OutgoingEvent(
            id: entry.id,
            name: entry.name,
            parameters: redacted(entry.parameters, to: destination, &encoder),
            defaults: redacted(entry.defaults, to: destination, &encoder),
            time: entry.time,
            identity: redacted(entry.identity.identity, to: destination, &encoder),
            sequence: UInt64(clamping: lanes[place].stored.nextNumber)
                + UInt64(open[place]?.segment.count ?? 0),
            update: entry.update?.kind
        )
        event.removedTraits = entry.update?.removed ?? []
        event.awaitsConsent = consent == .unknown
        if let reason = middleware.process(&event, for: destination, redactor, &encoder) {
            return lose(entry, reason, at: place)
        }
        do throws(EventEncodingError) {
            try destination.encode(event, into: &encoder)
        } catch {
            return lose(entry, .rule(error.rule), at: place)
        }
        let key = destination.batchKey(of: event)
        guard encoder.byteCount <= destination.limits.eventBytes, key.utf8.count <= Segment.maximumKeyBytes else {
            return lose(entry, .tooLarge, at: place)
        }
        let hasAbsent = entry.parameters.hasAbsent || entry.defaults.hasAbsent
        countAdjustments(of: encoder, hasAbsent: hasAbsent, at: place)
        if let count = awaiting, consent == .unknown { awaiting = count + 1 }
        encoder.json.withBytes { append(entry, at: place, key: key, fragment: $0) }
        addReceipt(of: entry, at: place, .stored)
    }

    private mutating func append(
        _ entry: BufferedEvent,
        at place: Int,
        key: String,
        fragment: UnsafeBufferPointer<UInt8>
    ) {
        let (priority, user) = (entry.options.priority, entry.identity.identity.userHash)
        if open[place]?.takes(fragment.count, key: key, user: user, priority: priority) == false {
            closeSegment(at: place)
        }
        if open[place] == nil {
            let (limits, stored) = (lanes[place].limits, lanes[place].stored)
            open[place] = OpenSegment(
                Segment(
                    place: SegmentPlace(lane: stored.number, number: stored.nextNumber),
                    priority: priority,
                    key: key,
                    user: user,
                    decision: base.number,
                    stored: base.moment
                ),
                events: GroupWriter.segmentEvents(for: limits),
                bytes: min(GroupWriter.segmentBytes, (limits?.bodyBytes ?? 1) / 2)
            )
        }
        open[place]?.append(id: entry.id, fragment: fragment)
    }

    /// The maximum number of events in one segment.
    ///
    /// Segments of this size fill a request as far as equal segments can.
    private static func segmentEvents(for limits: BatchLimits?) -> Int {
        let events = max(1, limits?.events ?? 1)
        return events / ((events - 1) / GroupWriter.segmentEvents + 1)
    }

    private mutating func closeSegment(at place: Int) {
        guard let segment = open[place]?.segment else { return }
        open[place] = nil
        lanes[place].stored.nextNumber += Int64(segment.count)
        segments.append(segment)
        change.save(segment)
        lanes[place].account(segment.summary, sign: 1)
    }

    private func redacted(
        _ parameters: EventParameters,
        to destination: any Destination,
        _ encoder: inout EventEncoder
    ) -> EventParameters {
        redactor.apply(to: parameters, for: destination.purpose) { encoder.recordAdjustment($0) }
    }

    /// Counts the events of all lanes that wait for consent.
    private func countAwaitingConsent(in table: LaneTable) -> Int {
        table.busy.union(places.keys).reduce(0) { sum, index in
            sum + (table.queues[index].consent.value == .unknown ? counts(of: index, in: table).total : 0)
        }
    }

    private func redacted(
        _ tracked: Identity,
        to destination: any Destination,
        _ encoder: inout EventEncoder
    ) -> Identity {
        guard tracked.isIncomplete || tracked.sensitiveUser != nil else { return tracked }
        var identity = base.identity.completed(tracked, deviceID: base.deviceID)
        identity.userID = redactor.user(of: identity, for: destination.purpose) { encoder.recordAdjustment($0) }
        identity.sensitiveUser = nil
        return identity
    }

    private mutating func countAdjustments(of encoder: EventEncoder, hasAbsent: Bool, at place: Int) {
        if encoder.json.coercions > 0 { lanes[place].stored.ledger.adjust(1, "value_without_json") }
        if hasAbsent { lanes[place].stored.ledger.adjust(1, "value_nil") }
        for (rule, count) in encoder.adjustments { lanes[place].stored.ledger.adjust(count, rule) }
    }

    private mutating func lose(_ entry: BufferedEvent, _ reason: DropReason, at place: Int) {
        countLoss(1, reason, at: place)
        let lane = lanes[place].id
        if let last = effects.losses.last, last.lane == lane, last.dropReason == reason {
            effects.losses[effects.losses.count - 1].append(entry.id)
        } else {
            effects.losses.append(SettledEvents(.dropped(reason), lane: lane, [entry.id]))
        }
        addReceipt(of: entry, at: place, .dropped(reason))
    }

    private mutating func addReceipt(of entry: BufferedEvent, at place: Int, _ outcome: Receipt.Outcome) {
        guard base.hasListeners || entry.receipt != nil else { return }
        let receipt = WaitingReceipts.Entry(
            lane: entry.lane,
            laneID: lanes[place].id,
            user: entry.identity.identity.userHash,
            waiting: entry.receipt,
            outcome: outcome
        )
        effects.receipts.append((entry.id, receipt))
    }

    private mutating func countLoss(_ count: Int, _ reason: DropReason, at place: Int) {
        lanes[place].stored.ledger.drop(count, reason)
        effects.drops[indices[place], default: [:]][reason, default: 0] += count
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
        key: String,
        user: UserHash,
        priority: TrackOptions.Priority
    ) -> Bool {
        // Compare keys by bytes: different user ids may be equal as strings.
        segment.count < maximumEvents && segment.records.count + bytes <= maximumBytes
            && segment.key.utf8.elementsEqual(key.utf8) && segment.priority == priority
            && segment.user == user
    }

    mutating func append(id: EventID, fragment: UnsafeBufferPointer<UInt8>) {
        segment.append(id: id, fragment: fragment, seed: seed)
    }
}
