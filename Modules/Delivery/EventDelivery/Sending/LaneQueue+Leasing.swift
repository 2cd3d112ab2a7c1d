import CoreTracker
import EventOutbox
import EventTracking

/// Forming, splitting and leasing batches.
extension LaneQueue {
    /// The number of events with other batch keys that a batch passes over.
    ///
    /// A server with many users has as many keys. Searching further would cost more than a request with fewer events.
    private static let passedEvents = 128
    /// The number of segments hidden by an erasure that a turn of the store reads.
    private static let hiddenSegments = 1_024
    /// The size of the expired events that a new batch drops first, in bytes.
    private static let expiredBytes = 4_000_000
    /// The least size that a dropped segment counts, in bytes, because small segments take time, too.
    private static let leastDroppedBytes = 4_096

    /// Determines the lane's next step.
    ///
    /// The change must be committed before the step is performed.
    mutating func chooseStep(_ context: LaneContext, change: inout LaneChange) throws(OutboxError) -> LaneStep {
        guard isGranted, holds.isEmpty, leases.count < maximumLeases else { return .wait(until: nil) }
        guard retryState.isOpen(at: context.now.monotonic) else { return .wait(until: retryState.notBefore) }
        if stored.isDamaged { try recount(context, change: &change) }
        guard try passErased(context) else { return .again }
        if let batch = try nextBatch(context, change: &change) {
            return try lease(batch, context, change: &change).map { .send($0) } ?? .again
        }
        if !change.outbox.isEmpty { return .again }
        if !schedule.isImmediate, let next = try oldestUnbatched(context),
            let due = schedule.endOfWait(of: next, below: stored.nextNumber, at: context.now)
        {
            return .wait(until: due)
        }
        try planBatch(context, change: &change)
        if !change.outbox.isEmpty { return .again }
        // If the counts include events that no row contains, a damaged page has lost them.
        if batches.isEmpty, stored.counts.total > 0, try isEmpty(context) { try recount(context, change: &change) }
        return .wait(until: nil)
    }

    /// Whether the lane has a destination and the user agrees to its purpose.
    var isGranted: Bool { destination != nil && consent.value == .granted }

    /// Returns a lease without having sent its batch.
    mutating func release(_ lease: Lease) {
        leases[lease.stored.id] = nil
    }

    /// The maximum number of concurrent requests at the moment.
    ///
    /// It is 1 if order matters, while the lane searches for an invalid event, and from a fault until the next success.
    private var maximumLeases: Int {
        guard let destination, destination.order == .none else { return 1 }
        let isProbing = retryState.reason != nil || retryState.failures > 0 || !aside.isEmpty
        return isProbing ? 1 : destination.limits.inFlight
    }

    /// Drops expired events, then adds a batch of the lane's oldest events to the change.
    mutating func planBatch(_ context: LaneContext, change: inout LaneChange) throws(OutboxError) {
        var room = LaneQueue.expiredBytes
        try dropUnbatched(context, room: &room, change: &change)
        if room > 0 { try formBatch(context, change: &change) }
    }

    /// Whether a stored event is sent at once.
    var sendsAtOnce: Bool { retryState.reason == nil && isGranted && schedule.isImmediate }

    /// Forms a batch of new segments before they are stored, if the lane was empty and can send them at once together.
    mutating func planBatch(of new: [Segment], _ newID: () -> EventID) {
        guard sendsAtOnce, holds.isEmpty, !stored.isDamaged, batches.isEmpty, let limits, let first = new.first,
            head?.place == first.place, stored.counts.total <= limits.events,
            stored.counts.bytes <= limits.bodyBytes - limits.framingBytes,
            new.allSatisfy({ $0.key.utf8.elementsEqual(first.key.utf8) })
        else { return }
        (batches, firstFree) = ([StoredBatch(id: newID(), segments: new.map(\.place))], stored.nextNumber)
    }

    /// Whether a batch is passed over until another event was sent.
    func isAside(_ batch: StoredBatch) -> Bool { aside.contains { $0.lease.stored.id == batch.id } }

    /// Returns the open batch to send next, or `nil` if a new one must be formed.
    ///
    /// If the destination needs order, events older than the open batches are next. They are left from a batch
    /// dissolved by an erasure or by damage. If every open batch is set aside and no other can be formed, the first of
    /// them is next.
    private mutating func nextBatch(
        _ context: LaneContext,
        change: inout LaneChange
    ) throws(OutboxError) -> StoredBatch? {
        let free = batches.filter { leases[$0.id] == nil }
        if let batch = free.first(where: { !isAside($0) }) {
            guard try isPreceded(batch, context), try formBatch(context, change: &change) else { return batch }
            return nil
        }
        guard !free.isEmpty, leases.isEmpty, try !formBatch(context, change: &change) else { return nil }
        aside = []
        return free.first
    }

    /// Whether an ordered lane has unbatched events older than the events of a batch.
    private mutating func isPreceded(_ batch: StoredBatch, _ context: LaneContext) throws(OutboxError) -> Bool {
        guard destination?.order == .session, firstFree < batch.start.number else { return false }
        return try oldestUnbatched(context).map { $0.place < batch.start } ?? false
    }

    /// Returns the oldest segment that belongs to no batch.
    private mutating func oldestUnbatched(_ context: LaneContext) throws(OutboxError) -> SegmentSummary? {
        var oldest: SegmentSummary?
        let end = try forEachFree(context) { summary in
            oldest = summary
            return false
        }
        firstFree = oldest?.place.number ?? end
        return oldest
    }

    /// Reads a batch's events and leases it.
    ///
    /// - Returns: The lease, or `nil` if the batch was changed instead, because it had expired, was stored for another
    ///   kind of destination, exceeded the remembered body limit, had lost events to damage or contained erased ones.
    private mutating func lease(
        _ batch: StoredBatch,
        _ context: LaneContext,
        change: inout LaneChange
    ) throws(OutboxError) -> Lease? {
        var segments: [Segment] = []
        var events: [OutgoingBatch.Event] = []
        for place in batch.segments {
            guard let segment = try context.outbox.segment(at: place) else { continue }
            segments.append(segment)
            events += segment.read().map { OutgoingBatch.Event(id: $0.id, fragment: $0.fragment) }
        }
        // An erasure dissolves batches only here, and when the events are removed.
        if segments.contains(where: { context.row.isErased($0.user, $0.decision) }) {
            dissolve([batch], change: &change.outbox)
            return nil
        }
        guard segments.count == batch.segments.count, events.count == segments.reduce(0, { $0 + $1.count }),
            let key = segments.first?.key, segments.allSatisfy({ $0.key.utf8.elementsEqual(key.utf8) })
        else {
            try replaceDamaged(batch, segments: segments, context, change: &change)
            return nil
        }
        if segments.allSatisfy({ context.expiry.isExpired($0.stored, at: context.now) }) {
            dropExpired(batch, segments: segments, change: &change)
            return nil
        }
        if destination?.canSend(batchKey: key) == false {
            quarantineAll(batch, segments: segments, context, change: &change)
            return nil
        }
        if isTooLarge(batch, events) {
            split(batch, segments: segments, at: LaneQueue.middle(of: events), context, change: &change)
            return nil
        }
        leases[batch.id] = LeaseRecord(
            faults: streaks.faults,
            start: context.now.monotonic,
            events: events.count,
            bytes: segments.reduce(0) { $0 + $1.records.count }
        )
        return Lease(
            batch: OutgoingBatch(
                id: batch.id,
                key: key,
                attempt: batch.attempts + 1,
                time: context.now.wall,
                events: events,
                consents: context.consents
            ),
            stored: batch,
            segments: segments,
            number: context.number
        )
    }

    /// Adds a batch of the lane's oldest free segments with the same key to the change.
    ///
    /// If the destination needs order, the batch ends where the key changes or another batch begins. Otherwise it
    /// passes over some events with other keys.
    ///
    /// - Returns: `false` if there is no free segment.
    @discardableResult
    private mutating func formBatch(
        _ context: LaneContext,
        change: inout LaneChange
    ) throws(OutboxError) -> Bool {
        guard let limits, let destination else { return false }
        var batch = StoredBatch(id: context.newID(), segments: [])
        var room = (events: limits.events, bytes: max(1, limits.bodyBytes - limits.framingBytes))
        var key: String?
        var (passed, firstPassed) = (0, Int64?.none)
        let starts = destination.order == .none ? [] : batches.map(\.start)
        let end = try forEachFree(context, without: Array(change.outbox.segments.keys)) { summary throws(OutboxError) in
            if let first = batch.segments.first, starts.contains(where: { first < $0 && $0 < summary.place }) {
                return false
            }
            if let key, !key.utf8.elementsEqual(summary.key.utf8) {
                passed += summary.count
                firstPassed = firstPassed ?? summary.place.number
                return destination.order == .none && passed <= LaneQueue.passedEvents
            }
            var next = summary
            if summary.count > room.events || summary.bytes > room.bytes {
                let least = batch.segments.isEmpty ? 1 : 0
                guard let part = try cut(summary, least: least, room, context, change: &change) else { return false }
                next = part
            }
            key = next.key
            batch.segments.append(next.place)
            room.events -= next.count
            room.bytes -= next.bytes
            return next.count == summary.count
        }
        // Without a passed segment, all segments up to the batch's last one belong to batches.
        firstFree = firstPassed ?? batch.segments.last.map { $0.number + 1 } ?? end
        guard !batch.segments.isEmpty else { return false }
        batches.insert(batch, at: batches.firstIndex { batch.start < $0.start } ?? batches.count)
        change.outbox.save(stored)
        return true
    }

    /// Whether an unsent batch clearly exceeds the lane's remembered body limit.
    private func isTooLarge(_ batch: StoredBatch, _ events: [OutgoingBatch.Event]) -> Bool {
        guard batch.attempts == 0, events.count > 1, let limits else { return false }
        let bytes = events.reduce(limits.framingBytes) { $0 + $1.fragment.count }
        return bytes > limits.bodyBytes + limits.bodyBytes / 8
    }

    /// Replaces a batch with two batches with new ids, which continue its count of attempts.
    ///
    /// Only a segment that contains the position is cut. All others keep their places and rows.
    mutating func split(
        _ batch: StoredBatch,
        segments: [Segment],
        at position: Int,
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        var halves: (first: [SegmentPlace], second: [SegmentPlace]) = ([], [])
        var remaining = position
        for segment in segments {
            if remaining >= segment.count {
                halves.first.append(segment.place)
            } else if remaining <= 0 {
                halves.second.append(segment.place)
            } else {
                let (head, tail) = LaneQueue.cut(segment, at: remaining, change: &change)
                halves.first.append(head.place)
                halves.second.append(tail.place)
            }
            remaining -= segment.count
        }
        let children = [halves.first, halves.second].filter { !$0.isEmpty }
            .map {
                StoredBatch(id: context.newID(), segments: $0, attempts: batch.attempts, refusals: batch.refusals)
            }
        guard let place = batches.firstIndex(where: { $0.id == batch.id }) else { return }
        batches.replaceSubrange(place...place, with: children)
        change.outbox.save(stored)
    }

    /// Returns the position that halves a batch by bytes, with at least one event on each side.
    static func middle(of events: [OutgoingBatch.Event]) -> Int {
        let half = events.reduce(0) { $0 + $1.fragment.count } / 2
        var bytes = 0
        let position = events.firstIndex { event in
            bytes += event.fragment.count
            return bytes > half
        }
        return max(1, min(position ?? 1, events.count - 1))
    }

    /// Cuts a segment larger than the space left in a request, and returns its first part.
    ///
    /// - Returns: The first part, or `nil` if fewer than `least` events fit or the segment is damaged.
    private func cut(
        _ summary: SegmentSummary,
        least: Int,
        _ room: (events: Int, bytes: Int),
        _ context: LaneContext,
        change: inout LaneChange
    ) throws(OutboxError) -> SegmentSummary? {
        // Reading a damaged segment for sending recovers it later.
        let whole = least > 0 ? summary : nil
        guard room.events > 0, let segment = try context.outbox.segment(at: summary.place) else { return whole }
        let records = segment.read()
        guard records.count == segment.count else { return whole }
        var bytes = room.bytes
        let fitting = records.prefix(room.events).prefix { record in
            bytes -= SegmentRecord.overhead + record.fragment.count
            return bytes >= 0
        }
        let count = max(least, fitting.count)
        guard count > 0 else { return nil }
        return count == segment.count ? summary : LaneQueue.cut(segment, at: count, change: &change).head.summary
    }

    private static func cut(_ segment: Segment, at position: Int, change: inout LaneChange) -> (
        head: Segment, tail: Segment
    ) {
        let records = segment.read()
        let parts = (
            head: segment.replacing(records: records.prefix(position)),
            tail: segment.replacing(records: records.dropFirst(position), offset: position)
        )
        change.outbox.save(parts.head)
        change.outbox.save(parts.tail)
        return parts
    }

    /// Moves ``firstFree`` behind the oldest segments if an erasure hides them.
    ///
    /// - Returns: Whether it has found the first other segment, or the end of the queue.
    private mutating func passErased(_ context: LaneContext) throws(OutboxError) -> Bool {
        guard !context.row.erasing.isEmpty, firstFree < stored.nextNumber else { return true }
        return try oldestUnbatched(context) != nil || firstFree == stored.nextNumber
    }

    /// Passes the lane's segments that belong to no batch to a closure, oldest first, until it returns `false`.
    ///
    /// It ends behind ``hiddenSegments`` segments hidden by an erasure.
    ///
    /// - Parameters:
    ///   - context: The environment.
    ///   - changed: The places of segments that the change removes or replaces.
    ///   - body: The closure.
    /// - Returns: The sequence number at which it has ended, unless the closure has ended it.
    @discardableResult
    private func forEachFree(
        _ context: LaneContext,
        without changed: [SegmentPlace] = [],
        _ body: (SegmentSummary) throws(OutboxError) -> Bool
    ) throws(OutboxError) -> Int64 {
        let first = SegmentPlace(lane: stored.number, number: firstFree)
        let later = batches.lazy.filter { $0.segments.last.map { $0 >= first } ?? false }
        let taken = Set(later.flatMap(\.segments)).union(changed)
        let place = SegmentPlace(rawValue: first.rawValue - 1)
        var (hidden, end) = (0, stored.nextNumber)
        try context.outbox.forEachSummary(of: stored, after: place) { summary throws(OutboxError) in
            if taken.contains(summary.place) { return true }
            guard context.row.isErased(summary.user, summary.decision) else { return try body(summary) }
            hidden += 1
            guard hidden < LaneQueue.hiddenSegments else {
                end = summary.place.number + 1
                return false
            }
            return true
        }
        return end
    }
}

/// Expired and damaged events.
extension LaneQueue {
    /// Drops expired events, oldest first, by a trusted clock, including batches that are not in flight.
    ///
    /// - Parameters:
    ///   - context: The environment.
    ///   - room: The size of the events that may still be dropped in this turn of the store, in bytes. Without room,
    ///     expired events may be left.
    ///   - change: Receives the change.
    mutating func dropExpired(_ context: LaneContext, room: inout Int, change: inout LaneChange) {
        // The oldest event expires first.
        guard (try? passErased(context)) == true, let head, context.expiry.isExpired(head.stored, at: context.now)
        else { return }
        // Unreadable segments are checked again later.
        for batch in batches where leases[batch.id] == nil && room > 0 {
            let segments = batch.segments.compactMap { try? context.outbox.segment(at: $0) }
            guard segments.count == batch.segments.count,
                segments.allSatisfy({ context.expiry.isExpired($0.stored, at: context.now) })
            else { continue }
            for segment in segments { room -= max(segment.records.count, LaneQueue.leastDroppedBytes) }
            dropExpired(batch, segments: segments, change: &change)
        }
        try? dropUnbatched(context, room: &room, change: &change)
    }

    /// Drops expired events that belong to no batch.
    private mutating func dropUnbatched(
        _ context: LaneContext,
        room: inout Int,
        change: inout LaneChange
    ) throws(OutboxError) {
        if let head, !context.expiry.isExpired(head.stored, at: context.now) { return }
        var expired: [SegmentSummary] = []
        try forEachFree(context, without: Array(change.outbox.segments.keys)) { summary in
            guard room > 0, context.expiry.isExpired(summary.stored, at: context.now) else { return false }
            room -= max(summary.bytes, LaneQueue.leastDroppedBytes)
            expired.append(summary)
            return true
        }
        guard !expired.isEmpty else { return }
        let segments = expired.compactMap { try? context.outbox.segment(at: $0.place) }
        for summary in expired { account(summary, sign: -1) }
        for summary in expired { change.outbox.remove(summary.place) }
        loseExpired(expired.reduce(0) { $0 + $1.count }, segments, change: &change)
    }

    /// Drops an expired batch.
    private mutating func dropExpired(_ batch: StoredBatch, segments: [Segment], change: inout LaneChange) {
        close(batch, segments: segments, change: &change)
        loseExpired(segments.reduce(0) { $0 + $1.count }, segments, change: &change)
    }

    /// Quarantines a batch encoded by another kind of destination.
    ///
    /// No receiver has refused it.
    private mutating func quarantineAll(
        _ batch: StoredBatch,
        segments: [Segment],
        _ context: LaneContext,
        change: inout LaneChange
    ) {
        close(batch, segments: segments, change: &change)
        for segment in segments {
            for record in segment.read() {
                let event = QuarantinedEvent(
                    id: record.id,
                    lane: id,
                    reason: "other_destination",
                    response: "",
                    time: context.now.wall,
                    fragment: Array(record.fragment),
                    key: segment.key,
                    user: segment.user,
                    decision: segment.decision
                )
                quarantine(event, cause: event.reason, change: &change)
            }
        }
    }

    private mutating func loseExpired(_ count: Int, _ segments: [Segment], change: inout LaneChange) {
        stored.ledger.drop(count, .expired)
        change.outbox.save(stored)
        change.lose(count, .expired, on: id, ids: segments.flatMap { $0.read().map(\.id) })
    }

    /// Replaces damaged segments with their valid events, and counts the missing ones.
    private mutating func replaceDamaged(
        _ batch: StoredBatch,
        segments: [Segment],
        _ context: LaneContext,
        change: inout LaneChange
    ) throws(OutboxError) {
        for place in batch.segments { change.outbox.remove(place) }
        for segment in segments {
            let sound = segment.replacing(records: segment.read())
            if sound.count > 0 { change.outbox.save(sound) }
        }
        batches.removeAll { $0.id == batch.id }
        firstFree = min(firstFree, batch.start.number)
        stored.isDamaged = true
        change.outbox.save(stored)
    }

    /// Whether the lane has no segments, although its counts include some.
    private func isEmpty(_ context: LaneContext) throws(OutboxError) -> Bool {
        try context.outbox.summaries(of: stored, after: nil, limit: 1).isEmpty
    }

    /// Counts the lane's rows again.
    ///
    /// Missing events count as damaged.
    mutating func recount(_ context: LaneContext, change: inout LaneChange) throws(OutboxError) {
        stored.counts = try context.outbox.recount(stored)
        refreshHead(from: context.outbox)
        stored.isDamaged = false
        correctLedger(change: &change)
        // Publish the lane even if its ledger was correct, for flushes that wait for the new count.
        change.outbox.save(stored)
    }

    /// Corrects the lane's ledger to match the number of its rows and, if given, of its quarantined events.
    ///
    /// The difference counts as damaged.
    mutating func correctLedger(quarantined: Int? = nil, change: inout LaneChange) {
        let found = max(0, stored.counts.total)
        let refused = quarantined ?? stored.ledger.quarantined
        guard stored.ledger.pending != found || stored.ledger.quarantined != refused else { return }
        let missing = stored.ledger.agree(pending: found, quarantined: refused)
        change.outbox.save(stored)
        change.lose(missing, .corrupted, on: id)
    }
}
