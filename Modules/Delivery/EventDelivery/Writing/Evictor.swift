import CoreTracker
import EventDeliveryAPI
import EventOutbox

/// A selector of the events to evict if the budget is exceeded.
struct Evictor {
    /// The maximum number of segments evicted for one group, so a budget that a new version of the app has lowered does
    /// not stop the store.
    private static let step = 256
    /// The places at which the last searches ended.
    private var starts: [Search: SegmentPlace] = [:]

    /// Evicts events until the group's change fits the budget.
    ///
    /// It evicts from the product that uses most of the scarce resource, lowest priority and oldest first. It never
    /// evicts events of a batch. The stored events may exceed the budget until the next groups are stored.
    ///
    /// - Parameters:
    ///   - writer: The group, which receives the evicted events.
    ///   - budget: The budget.
    ///   - outbox: The outbox to search for events to evict.
    ///   - privacy: The stored erasures, whose events were counted before.
    mutating func makeRoom(
        in writer: inout GroupWriter,
        budget: DeliveryBudget,
        outbox: BufferedOutbox,
        privacy: PrivacyRows
    ) {
        var gone = Set(writer.change.segments.removed)
        for _ in 0..<Evictor.step {
            let events = writer.lanes.reduce(0) { $0 + $1.stored.counts.total }
            let bytes = writer.lanes.reduce(0) { $0 + $1.stored.counts.bytes }
            guard events > budget.events || bytes > budget.bytes else { return }
            let reason: DropReason = events > budget.events ? .countBudget : .byteBudget
            let lanes = writer.lanes
            guard let victim = victim(in: lanes, gone: gone, scarce: reason, outbox: outbox, privacy: privacy)
            else { return }
            let segment = try? outbox.segment(at: victim.segment.place)
            writer.evict(victim.segment, ids: segment?.read().map(\.id) ?? [], lane: victim.lane, reason: reason)
            gone.insert(victim.segment.place)
        }
    }

    private mutating func victim(
        in lanes: [LaneQueue],
        gone: Set<SegmentPlace>,
        scarce: DropReason,
        outbox: BufferedOutbox,
        privacy: PrivacyRows
    ) -> (segment: SegmentSummary, lane: Int)? {
        var shares: [String: Int] = [:]
        for lane in lanes {
            shares[lane.stored.id.product, default: 0] +=
                scarce == .countBudget ? lane.stored.counts.total : lane.stored.counts.bytes
        }
        for (product, _) in shares.sorted(by: { ($0.value, $0.key) > ($1.value, $1.key) }) {
            let indices = lanes.indices.filter { lanes[$0].stored.id.product == product }
            for priority in TrackOptions.Priority.allCases {
                var candidates: [(segment: SegmentSummary, lane: Int)] = []
                for index in indices where lanes[index].stored.counts.events[priority.rawValue] > 0 {
                    let segment = oldest(of: priority, lane: lanes[index], gone: gone, outbox: outbox, privacy: privacy)
                    if let segment { candidates.append((segment, index)) }
                }
                if let oldest = candidates.min(by: { $0.segment.stored.wall < $1.segment.stored.wall }) {
                    return oldest
                }
            }
        }
        return nil
    }

    /// Returns the lane's oldest evictable segment of a priority.
    ///
    /// The search continues where the last one ended, because earlier segments have another priority or belong to a
    /// batch. If a batch is dissolved, its segments are found when the search starts over at the lane's end.
    private mutating func oldest(
        of priority: TrackOptions.Priority,
        lane: LaneQueue,
        gone: Set<SegmentPlace>,
        outbox: BufferedOutbox,
        privacy: PrivacyRows
    ) -> SegmentSummary? {
        let batched = lane.batchedPlaces
        let search = Search(lane: lane.stored.number, priority: priority)
        let start = starts[search]
        var place = start
        while let page = try? outbox.summaries(
            lane: lane.stored.number,
            after: place,
            void: lane.stored.void,
            limit: 64
        ),
            let last = page.last
        {
            let found = page.first {
                $0.priority == priority && !batched.contains($0.place) && !gone.contains($0.place)
                    && !privacy.isErased($0.user, $0.decision)
            }
            if let found { return found }
            place = last.place
            starts[search] = place
        }
        starts[search] = nil
        return start == nil ? nil : oldest(of: priority, lane: lane, gone: gone, outbox: outbox, privacy: privacy)
    }

    /// The lane and the priority of a search.
    private struct Search: Hashable {
        let lane: Int
        let priority: TrackOptions.Priority
    }
}
