import CoreTracker

/// What gives way when more waits than the budget allows.
extension DeliveryStore {
    /// Evicts until the group's change fits the budget: from the product that uses most of what is scarce, least
    /// important and oldest first, and never anything that belongs to a batch.
    ///
    /// One group may exceed the budget until the next one comes.
    func makeRoom(in writer: inout GroupWriter) {
        let budget = configuration.budget
        var gone = Set(writer.change.removed)
        while true {
            let events = writer.lanes.reduce(0) { $0 + $1.usage.totalEvents }
            let bytes = writer.lanes.reduce(0) { $0 + $1.usage.bytes }
            guard events > budget.events || bytes > budget.bytes else { return }
            let reason: DropReason = events > budget.events ? .countBudget : .byteBudget
            guard let victim = victim(in: writer.lanes, gone: gone, scarce: reason) else { return }
            let pack = try? outbox.pack(at: victim.pack.place)
            writer.evict(victim.pack, ids: pack?.read().map(\.id) ?? [], lane: victim.lane, reason: reason)
            gone.insert(victim.pack.place)
        }
    }

    private func victim(
        in lanes: [LaneState],
        gone: Set<PackPlace>,
        scarce: DropReason
    ) -> (pack: PackSummary, lane: Int)? {
        var shares: [String: Int] = [:]
        for lane in lanes {
            shares[lane.stored.id.product, default: 0] +=
                scarce == .countBudget ? lane.usage.totalEvents : lane.usage.bytes
        }
        for (product, _) in shares.sorted(by: { ($0.value, $0.key) > ($1.value, $1.key) }) {
            let indices = lanes.indices.filter { lanes[$0].stored.id.product == product }
            for priority in TrackOptions.Priority.allCases {
                let candidates = indices.filter { lanes[$0].usage.events[priority.rawValue] > 0 }
                    .compactMap { index in
                        oldest(of: priority, lane: lanes[index], gone: gone).map { (pack: $0, lane: index) }
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
    private func oldest(of priority: TrackOptions.Priority, lane: LaneState, gone: Set<PackPlace>) -> PackSummary? {
        let batched = lane.batchedPlaces
        let search = EvictionSearch(lane: lane.stored.number, priority: priority)
        let start = evictionStarts[search]
        var place = start
        while let page = try? outbox.summaries(lane: lane.stored.number, after: place, limit: 64), let last = page.last
        {
            let found = page.first {
                $0.priority == priority && !batched.contains($0.place) && !gone.contains($0.place)
            }
            if let found { return found }
            place = last.place
            evictionStarts[search] = place
        }
        evictionStarts[search] = nil
        return start == nil ? nil : oldest(of: priority, lane: lane, gone: gone)
    }
}

/// What the search for something to evict looks for, and in which lane.
struct EvictionSearch: Hashable {
    let lane: Int
    let priority: TrackOptions.Priority
}
