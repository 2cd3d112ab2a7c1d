/// What gives way when more waits than the budget allows.
extension DeliveryStore {
    /// Evicts until the group's change fits the budget: from the product that uses most, least important and oldest
    /// first, and never anything that belongs to a batch.
    func makeRoom(in writer: inout GroupWriter) {
        let budget = configuration.budget
        while true {
            let events = writer.lanes.reduce(0) { $0 + $1.usage.totalEvents }
            let bytes = writer.lanes.reduce(0) { $0 + $1.usage.bytes }
            guard events > budget.events || bytes > budget.bytes else { return }
            let reason: DropReason = events > budget.events ? .countBudget : .byteBudget
            let gone = Set(writer.change.removed)
            guard let victim = victim(in: writer.lanes, gone: gone) else { return }
            writer.evict(victim.pack, lane: victim.lane, reason: reason)
        }
    }

    private func victim(in lanes: [LaneState], gone: Set<PackPlace>) -> (pack: PackSummary, lane: Int)? {
        var shares: [String: Int] = [:]
        for lane in lanes { shares[lane.stored.id.product, default: 0] += lane.usage.bytes }
        for (product, _) in shares.sorted(by: { $0.value > $1.value }) {
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

    private func oldest(of priority: TrackOptions.Priority, lane: LaneState, gone: Set<PackPlace>) -> PackSummary? {
        let batched = lane.batchedPlaces
        var place: PackPlace?
        while let page = try? outbox.summaries(lane: lane.stored.number, after: place, limit: 64), let last = page.last
        {
            let found = page.first {
                $0.priority == priority && !batched.contains($0.place) && !gone.contains($0.place)
            }
            if let found { return found }
            place = last.place
        }
        return nil
    }
}
