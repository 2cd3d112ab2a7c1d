import EventTracking

/// The flushes that wait until events are delivered or counted, in a queue for each lane that they wait for.
///
/// A lane that moves visits the flushes that it ends, and only them, unless it waits after a failure.
struct FlushBook {
    /// A flush in the queues of its lanes.
    private final class Entry {
        let flush: Flush
        /// The number of lanes for which the flush still waits.
        var lanes: Int

        init(_ flush: Flush, lanes: Int) {
            (self.flush, self.lanes) = (flush, lanes)
        }

        /// Ends the flush if no other lane is left.
        func leave() {
            lanes -= 1
            if lanes == 0 { flush.deadline.end() }
        }
    }

    /// The flushes that wait for a lane, each with the sequence number below which events must be settled, in the order
    /// of these numbers.
    private var queues: [Int: [(target: Int64, entry: Entry)]] = [:]
    /// The number of flushes added since the last removal of ended ones, and the number at which they are removed.
    private var (added, limit) = (0, 64)

    /// Adds a flush, which ends at once if no lane can settle further events for it.
    ///
    /// - Parameters:
    ///   - flush: The flush.
    ///   - lanes: The lanes with unsettled events, each with its status and the number of the first event after the
    ///     flush.
    ///   - now: The current time.
    mutating func add(
        _ flush: Flush,
        _ lanes: [(lane: Int, status: LaneStatus, target: Int64)],
        at now: MonotonicInstant
    ) {
        let waiting = lanes.filter { !$0.status.ends(flush, $0.target, at: now) }
        guard !waiting.isEmpty else { return flush.deadline.end() }
        removeEnded()
        let entry = Entry(flush, lanes: waiting.count)
        for (lane, _, target) in waiting {
            // A denial, or another process, can lower the numbers of a lane.
            let place = queues[lane]?.lastIndex { $0.target <= target }.map { $0 + 1 } ?? 0
            queues[lane, default: []].insert((target, entry), at: place)
        }
    }

    /// Ends the flushes whose last lane can settle no further event for them.
    ///
    /// The lane stays settled for these flushes. A flush waits for the due probe of a paused lane.
    ///
    /// - Parameters:
    ///   - lane: The index of a lane that has moved.
    ///   - status: The lane's status.
    ///   - now: The current time.
    /// - Returns: The number of visited flushes, which is the work.
    @discardableResult
    mutating func moved(_ lane: Int, _ status: LaneStatus, at now: MonotonicInstant) -> Int {
        guard var queue = queues.removeValue(forKey: lane) else { return 0 }
        var visited = 0
        let ends = { (place: (target: Int64, entry: Entry)) in
            visited += 1
            return status.ends(place.entry.flush, place.target, at: now)
        }
        let settled = queue.prefix(while: ends).count
        for place in queue.prefix(settled) { place.entry.leave() }
        queue.removeFirst(settled)
        // The deadlines are in another order than the numbers.
        if status.notBefore != nil {
            queue.removeAll { place in
                guard ends(place) else { return false }
                place.entry.leave()
                return true
            }
        }
        if !queue.isEmpty { queues[lane] = queue }
        return visited
    }

    /// Removes the flushes whose callers no longer wait, each time their number may have doubled.
    private mutating func removeEnded() {
        added += 1
        guard added >= limit else { return }
        for lane in queues.keys { queues[lane]?.removeAll { $0.entry.flush.deadline.isEnded } }
        for (lane, queue) in queues where queue.isEmpty { queues[lane] = nil }
        (added, limit) = (0, max(64, longestQueue))
    }

    /// The greatest number of flushes that wait for one lane.
    var longestQueue: Int { queues.values.lazy.map(\.count).max() ?? 0 }

    /// Ends all flushes.
    mutating func endAll() {
        for queue in queues.values { for (_, entry) in queue { entry.flush.deadline.end() } }
        queues = [:]
    }
}

extension LaneStatus {
    /// Whether a flush does not wait for the lane.
    fileprivate func ends(_ flush: Flush, _ target: Int64, at now: MonotonicInstant) -> Bool {
        let outcome = outcome(target: target, isOpen: true, deadline: flush.deadline.instant)
        if case .paused = outcome, let due = notBefore { return due > now }
        return outcome != .timedOut
    }
}
