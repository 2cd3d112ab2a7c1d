import CoreTracker
import EventDeliveryAPI
import EventOutbox

/// A selector of the events to evict if the budget is exceeded.
struct Evictor {
    /// The number of events that a group may evict beyond its own number.
    ///
    /// A budget that a new version of the app has lowered is reached in steps, which do not stop the store.
    private static let step = 256
    /// The places at which the last searches ended.
    private var starts: [Search: SegmentPlace] = [:]

    /// Evicts events until the group's change fits the budget.
    ///
    /// It evicts from the product that uses most of the scarce resource, lowest priority and oldest first. It never
    /// evicts events of a batch or of the group. While the budget is exceeded, each group evicts at least as many events
    /// and bytes as it adds.
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
        var (all, rest, products) = (Use(), Use(), [String: Use]())
        for index in writer.lanes.indices {
            let counts = writer.lanes[index].stored.counts
            all.add(counts.total, counts.bytes)
            products[writer.lanes[index].id.product, default: Use()].add(counts.total, counts.bytes, lane: index)
        }
        guard all.exceeds(budget) else { return }
        for segment in writer.change.segments.saved { rest.add(segment.count, segment.records.count) }
        rest.events += Evictor.step
        var found = Found()
        while all.exceeds(budget), rest.events > 0 || rest.bytes > 0 {
            let reason: DropReason = all.events > budget.events ? .countBudget : .byteBudget
            let largest = products.max { ($0.value[reason], $0.key) < ($1.value[reason], $1.key) }
            guard let (product, use) = largest else { break }
            let oldest = takeOldest(of: use.lanes, in: writer.lanes, &found, outbox: outbox, privacy: privacy)
            guard let (segment, lane) = oldest else {
                products[product] = nil
                continue
            }
            let ids = (try? outbox.segment(at: segment.place))?.read().map(\.id)
            writer.evict(segment, ids: ids ?? [], lane: lane, reason: reason)
            found.gone.insert(segment.place)
            products[product]?.add(-segment.count, -segment.bytes)
            all.add(-segment.count, -segment.bytes)
            rest.add(-segment.count, -segment.bytes)
        }
        writer.saveLanes()
    }

    /// Takes the oldest evictable segment of the lowest priority from the pages of some lanes.
    private mutating func takeOldest(
        of indices: [Int],
        in lanes: [LaneQueue],
        _ found: inout Found,
        outbox: BufferedOutbox,
        privacy: PrivacyRows
    ) -> (segment: SegmentSummary, lane: Int)? {
        for priority in TrackOptions.Priority.allCases {
            var oldest: (segment: SegmentSummary, lane: Int)?
            for index in indices where lanes[index].stored.counts.events[priority.rawValue] > 0 {
                let search = Search(lane: lanes[index].stored.number, priority: priority)
                if found.pages[search] == nil {
                    let gone = found.gone
                    found.pages[search] = nextPage(of: search, in: lanes[index], outbox: outbox) {
                        !gone.contains($0.place) && !privacy.isErased($0.user, $0.decision)
                    }
                }
                guard let segment = found.pages[search]?.first else { continue }
                if oldest.map({ segment.stored.wall < $0.segment.stored.wall }) ?? true { oldest = (segment, index) }
            }
            guard let oldest else { continue }
            let search = Search(lane: lanes[oldest.lane].stored.number, priority: priority)
            let rest = found.pages[search]?.dropFirst() ?? []
            found.pages[search] = rest.isEmpty ? nil : rest
            return oldest
        }
        return nil
    }

    /// Returns the next evictable segments of a lane and a priority in order, or none if there are no more.
    ///
    /// The search continues where the last one ended, because earlier segments have another priority or belong to a
    /// batch. If a batch is dissolved, its segments are found when the search starts over at the lane's end.
    private mutating func nextPage(
        of search: Search,
        in lane: LaneQueue,
        outbox: BufferedOutbox,
        where isLeft: (SegmentSummary) -> Bool
    ) -> ArraySlice<SegmentSummary> {
        let (batched, number) = (lane.batchedPlaces, lane.stored.number)
        for _ in starts[search] == nil ? 1...1 : 1...2 {
            while let page = try? outbox.summaries(
                lane: number,
                after: starts[search],
                void: lane.stored.void,
                limit: 64
            ),
                let last = page.last
            {
                let found = page.filter { $0.priority == search.priority && !batched.contains($0.place) && isLeft($0) }
                if !found.isEmpty { return found[...] }
                starts[search] = last.place
            }
            starts[search] = nil
        }
        return []
    }

    /// The number of a lane, and the priority of a search in it.
    private struct Search: Hashable {
        let lane: Int
        let priority: TrackOptions.Priority
    }

    /// The evictable segments that the searches for one group have found.
    private struct Found {
        /// The segments not yet evicted, or none at the end of a search.
        var pages: [Search: ArraySlice<SegmentSummary>] = [:]
        /// The places of the evicted segments.
        var gone: Set<SegmentPlace> = []
    }

    /// The events and bytes of the lanes of a product.
    private struct Use {
        var (events, bytes, lanes) = (0, 0, [Int]())

        mutating func add(_ events: Int, _ bytes: Int, lane: Int? = nil) {
            self.events = self.events.saturatingAdd(events)
            self.bytes = self.bytes.saturatingAdd(bytes)
            if let lane { lanes.append(lane) }
        }

        func exceeds(_ budget: DeliveryBudget) -> Bool { events > budget.events || bytes > budget.bytes }

        subscript(reason: DropReason) -> Int { reason == .countBudget ? events : bytes }
    }
}
