import CoreTracker

/// Decides what gives way when more waits than the budget allows.
struct Evictor {
    /// Where the last searches have ended.
    private var starts: [Search: PackPlace] = [:]

    /// Evicts until the group's change fits the budget: from the product that uses most of what is scarce, least
    /// important and oldest first, and never anything that belongs to a batch.
    ///
    /// One group may exceed the budget until the next one comes.
    mutating func makeRoom(in writer: inout GroupWriter, budget: DeliveryBudget, outbox: any Outbox) {
        var gone = Set(writer.change.removed)
        while true {
            let events = writer.lanes.reduce(0) { $0 + $1.usage.totalEvents }
            let bytes = writer.lanes.reduce(0) { $0 + $1.usage.bytes }
            guard events > budget.events || bytes > budget.bytes else { return }
            let reason: DropReason = events > budget.events ? .countBudget : .byteBudget
            guard let victim = victim(in: writer.lanes, gone: gone, scarce: reason, outbox: outbox) else { return }
            let pack = try? outbox.pack(at: victim.pack.place)
            writer.evict(victim.pack, ids: pack?.read().map(\.id) ?? [], lane: victim.lane, reason: reason)
            gone.insert(victim.pack.place)
        }
    }

    private mutating func victim(
        in lanes: [LaneQueue],
        gone: Set<PackPlace>,
        scarce: DropReason,
        outbox: any Outbox
    ) -> (pack: PackSummary, lane: Int)? {
        var shares: [String: Int] = [:]
        for lane in lanes {
            shares[lane.stored.id.product, default: 0] +=
                scarce == .countBudget ? lane.usage.totalEvents : lane.usage.bytes
        }
        for (product, _) in shares.sorted(by: { ($0.value, $0.key) > ($1.value, $1.key) }) {
            let indices = lanes.indices.filter { lanes[$0].stored.id.product == product }
            for priority in TrackOptions.Priority.allCases {
                var candidates: [(pack: PackSummary, lane: Int)] = []
                for index in indices where lanes[index].usage.events[priority.rawValue] > 0 {
                    let pack = oldest(of: priority, lane: lanes[index], gone: gone, outbox: outbox)
                    if let pack { candidates.append((pack, index)) }
                }
                if let oldest = candidates.min(by: { $0.pack.stored.wall < $1.pack.stored.wall }) { return oldest }
            }
        }
        return nil
    }

    /// The lane's oldest pack of a priority that can be evicted.
    ///
    /// The search begins where the last one has ended: what lies before holds none of the priority, or belongs to a
    /// batch. A batch that is dissolved is missed until the search comes to the lane's end and begins anew.
    private mutating func oldest(
        of priority: TrackOptions.Priority,
        lane: LaneQueue,
        gone: Set<PackPlace>,
        outbox: any Outbox
    ) -> PackSummary? {
        let batched = lane.batchedPlaces
        let search = Search(lane: lane.stored.number, priority: priority)
        let start = starts[search]
        var place = start
        while let page = try? outbox.summaries(lane: lane.stored.number, after: place, limit: 64), let last = page.last
        {
            let found = page.first {
                $0.priority == priority && !batched.contains($0.place) && !gone.contains($0.place)
            }
            if let found { return found }
            place = last.place
            starts[search] = place
        }
        starts[search] = nil
        return start == nil ? nil : oldest(of: priority, lane: lane, gone: gone, outbox: outbox)
    }

    /// What a search looks for, and in which lane.
    private struct Search: Hashable {
        let lane: Int
        let priority: TrackOptions.Priority
    }
}
