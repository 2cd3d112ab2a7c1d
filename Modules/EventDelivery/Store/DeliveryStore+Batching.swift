/// How batches are made, and cut in two.
extension DeliveryStore {
    /// How many packs are looked at, about, for more events of the same batch key.
    private static let window = 1_024

    /// Adds to a change what comes before the next attempt: the lane's oldest events become a batch, after those that
    /// have become too old are dropped.
    func planBatch(lane index: Int, change: inout OutboxChange) throws(OutboxError) {
        try dropExpired(lane: index, change: &change)
        _ = try formBatch(lane: index, suspicion: .none, change: &change)
    }

    /// Adds a batch of the lane's oldest free packs of one key to a change; `false` when nothing waits.
    func formBatch(
        lane index: Int,
        suspicion: StoredBatch.Suspicion,
        change: inout OutboxChange
    ) throws(OutboxError) -> Bool {
        guard let limits = lanes[index].limits else { return false }
        let taken = takenPlaces(lane: index, change)
        var batch = StoredBatch(id: batchIDs.next(at: clock.wallTime()), packs: [], suspicion: suspicion)
        var room = (events: limits.events, bytes: limits.bodyBytes - limits.framingBytes)
        var key: String?
        try forEachSummary(lane: index) { summary throws(OutboxError) in
            guard !taken.contains(summary.place), key == nil || key == summary.key else { return true }
            var next = summary
            if summary.count > room.events || summary.bytes > room.bytes {
                guard batch.packs.isEmpty else { return false }
                next = try cut(summary, events: room.events, bytes: room.bytes, change: &change)
            }
            key = next.key
            batch.packs.append(next.place)
            room.events -= next.count
            room.bytes -= next.bytes
            return next.count == summary.count
        }
        guard !batch.packs.isEmpty else { return false }
        change.savedBatches.append(batch)
        lanes[index].batches.append(batch)
        return true
    }

    /// Drops what has become too old and what no lane would ever look at: events whose destination is configured no
    /// more, and events in quarantine.
    func expireForgotten(change: inout OutboxChange) {
        let now = moment
        for index in lanes.indices where lanes[index].destination == nil && lanes[index].usage.totalEvents > 0 {
            // What cannot be read now is looked at again after the next start.
            for batch in lanes[index].batches {
                let packs = batch.packs.compactMap { try? outbox.pack(at: $0) }
                guard packs.count == batch.packs.count, packs.allSatisfy({ isExpired($0.stored, now: now) }) else {
                    continue
                }
                dropExpired(batch, packs: packs, lane: index)
            }
            try? dropExpired(lane: index, change: &change)
        }
        capQuarantine(change: &change)
    }

    /// Drops what has become too old, oldest first, by a clock that can be trusted.
    private func dropExpired(lane index: Int, change: inout OutboxChange) throws(OutboxError) {
        let now = moment
        let taken = takenPlaces(lane: index, change)
        var expired: [PackSummary] = []
        try forEachSummary(lane: index) { summary throws(OutboxError) in
            guard !taken.contains(summary.place), isExpired(summary.stored, now: now) else { return false }
            expired.append(summary)
            return true
        }
        guard !expired.isEmpty else { return }
        for summary in expired {
            if let pack = try? outbox.pack(at: summary.place) { noteExpired(pack, lane: index) }
            lanes[index].account(summary, sign: -1)
        }
        change.removed += expired.map(\.place)
        countExpired(expired.reduce(0) { $0 + $1.count }, lane: index, change: &change)
    }

    /// Drops a whole batch that has become too old.
    func dropExpired(_ batch: StoredBatch, packs: [Pack], lane index: Int) {
        var change = OutboxChange()
        change.removed = batch.packs
        change.removedBatches = [batch.id]
        lanes[index].batches.removeAll { $0.id == batch.id }
        for pack in packs {
            noteExpired(pack, lane: index)
            lanes[index].account(pack.summary, sign: -1)
        }
        countExpired(packs.reduce(0) { $0 + $1.count }, lane: index, change: &change)
        record(change)
        publish([index])
    }

    private func noteExpired(_ pack: Pack, lane index: Int) {
        for record in pack.read() { recentFates.note(record.id, lane: lanes[index].stored.id, .dropped(.expired)) }
    }

    private func countExpired(_ count: Int, lane index: Int, change: inout OutboxChange) {
        lanes[index].stored.ledger.drop(count, .expired)
        change.lanes.append(lanes[index].stored)
        diagnostics.send(.dropped(lane: lanes[index].stored.id, reason: .expired, count: count))
    }

    /// Whether something stored is too old: by the monotonic clock within one boot, else by the receiver's clock.
    ///
    /// An age of many times the limit says that a clock was wrong when the event was stored, so it does not count.
    func isExpired(_ stored: StoredMoment, now: StoredMoment) -> Bool {
        let limit = configuration.budget.age
        if stored.boot == now.boot { return stored.monotonic.duration(to: now.monotonic) > limit }
        return isExpired(stored.wall, now: now.monotonic)
    }

    /// Whether something of a wall time is too old by the receiver's clock.
    func isExpired(_ wall: Timestamp, now: MonotonicInstant) -> Bool {
        let limit = configuration.budget.age
        guard let receiverTime else { return false }
        let microseconds = receiverTime.wall.microseconds.subtractingReportingOverflow(wall.microseconds)
        guard !microseconds.overflow else { return false }
        let age = .microseconds(microseconds.partialValue) + receiverTime.monotonic.duration(to: now)
        return age > limit && age < limit * 10
    }

    /// Makes two batches of one, which take its place; each gets an id of its own.
    ///
    /// A pack is cut only where the batch is cut within it, so that all others keep their places and rows.
    func split(
        _ batch: StoredBatch,
        packs: [Pack],
        at position: Int,
        _ suspicion: StoredBatch.Suspicion,
        lane index: Int,
        change: inout OutboxChange
    ) {
        var halves: (first: [PackPlace], second: [PackPlace]) = ([], [])
        var remaining = position
        for pack in packs {
            if remaining >= pack.count {
                halves.first.append(pack.place)
            } else if remaining <= 0 {
                halves.second.append(pack.place)
            } else {
                let (head, tail) = cut(pack, at: remaining, change: &change)
                halves.first.append(head.place)
                halves.second.append(tail.place)
            }
            remaining -= pack.count
        }
        let children = [halves.first, halves.second].filter { !$0.isEmpty }
            .map { StoredBatch(id: batchIDs.next(at: clock.wallTime()), packs: $0, suspicion: suspicion) }
        change.removedBatches.append(batch.id)
        change.savedBatches += children
        guard let place = lanes[index].batches.firstIndex(where: { $0.id == batch.id }) else { return }
        lanes[index].batches.replaceSubrange(place...place, with: children)
    }

    /// The position that halves a batch by bytes, with at least one event on either side.
    func middle(of events: [OutgoingBatch.Event]) -> Int {
        let half = events.reduce(0) { $0 + $1.fragment.count } / 2
        var bytes = 0
        let position = events.firstIndex { event in
            bytes += event.fragment.count
            return bytes > half
        }
        return max(1, min(position ?? 1, events.count - 1))
    }

    /// Cuts a pack that is larger than a request may be, and answers its first part.
    private func cut(
        _ summary: PackSummary,
        events: Int,
        bytes: Int,
        change: inout OutboxChange
    ) throws(OutboxError) -> PackSummary {
        // A damaged pack is mended when it is read.
        guard let pack = try outbox.pack(at: summary.place) else { return summary }
        let records = pack.read()
        guard records.count == pack.count else { return summary }
        var room = bytes
        let fitting = records.prefix(events).prefix { record in
            room -= PackRecord.overhead + record.fragment.count
            return room >= 0
        }
        let count = max(1, fitting.count)
        return count == pack.count ? summary : cut(pack, at: count, change: &change).head.summary
    }

    private func cut(_ pack: Pack, at position: Int, change: inout OutboxChange) -> (head: Pack, tail: Pack) {
        let records = pack.read()
        let parts = (
            head: pack.replacing(records: records.prefix(position)),
            tail: pack.replacing(records: records.dropFirst(position), offset: position)
        )
        change.removed.append(pack.place)
        change.inserted += [parts.head, parts.tail]
        return parts
    }

    /// The places that a new batch leaves alone: those of other batches, and those that the change takes out.
    private func takenPlaces(lane index: Int, _ change: OutboxChange) -> Set<PackPlace> {
        lanes[index].batchedPlaces.union(change.removed)
    }

    /// The lane's oldest pack that has not been settled.
    func head(lane index: Int) throws(OutboxError) -> PackSummary? {
        try outbox.summaries(lane: lanes[index].stored.number, after: nil, limit: 1).first
    }

    /// Hands a lane's packs to a closure, oldest first, until it answers `false` or the window ends.
    private func forEachSummary(
        lane index: Int,
        _ body: (PackSummary) throws(OutboxError) -> Bool
    ) throws(OutboxError) {
        let size = 64
        var place: PackPlace?
        for _ in 0..<(DeliveryStore.window / size) {
            let page = try outbox.summaries(lane: lanes[index].stored.number, after: place, limit: size)
            for summary in page where try !body(summary) { return }
            guard let last = page.last, page.count == size else { return }
            place = last.place
        }
    }
}
