import CoreTracker
import EventOutbox
import EventTracking

/// A selector of the events to evict if the budget is exceeded.
struct Evictor {
    /// The number of events that a group may evict beyond its own number.
    ///
    /// A budget that a new version of the app has lowered is reached in steps, which do not stop the store.
    private static let step = 256
    /// The number of segments that are evicted before the fullest lane is chosen again.
    private static let quantum = 32
    /// The number of segments read at once, and the approximate number read for one group.
    private static let rows = (page: 64, group: 8_192)
    /// The places at which the last searches ended.
    private var starts: [Search: SegmentPlace] = [:]

    /// Evicts events until the group's change fits the budget.
    ///
    /// It evicts from the fullest lane of the product that uses most of the scarce resource, lowest priority and oldest
    /// first, and never events of a batch. While the budget is exceeded, each group evicts at least as many events and
    /// bytes as it adds. If no other event can be evicted, it evicts those of the group.
    ///
    /// - Parameters:
    ///   - writer: The group, which receives the evicted events.
    ///   - table: The store's lanes.
    ///   - budget: The budget.
    ///   - outbox: The outbox to search for events to evict.
    ///   - row: The row of the state, whose pending erasures hide events.
    mutating func makeRoom(
        in writer: inout GroupWriter,
        lanes table: LaneTable,
        budget: DeliveryBudget,
        outbox: Outbox,
        row: StateRow
    ) {
        var (all, rest, products) = (Use(), Use(), [String: Use]())
        all.add(table.total.events, table.total.bytes)
        for (index, lane) in zip(writer.indices, writer.lanes) {
            let (before, after) = (table.queues[index].stored.counts, lane.stored.counts)
            all.add(after.total - before.total, after.bytes - before.bytes)
        }
        guard all.exceeds(budget) else { return }
        for segment in writer.segments { rest.add(segment.count, segment.records.count) }
        rest.events += Evictor.step
        for index in table.busy {
            let counts = writer.counts(of: index, in: table)
            products[table.queues[index].id.product, default: Use()].add(counts.total, counts.bytes, lane: index)
        }
        var found = Found()
        while all.exceeds(budget), rest.events > 0 || rest.bytes > 0 {
            let reason: DropReason = all.events > budget.events ? .countBudget : .byteBudget
            let largest = products.max { ($0.value[reason], $0.key) < ($1.value[reason], $1.key) }
            guard let (product, use) = largest else {
                // Only sent batches are left, and they stay.
                var count = 0
                for segment in writer.segments where all.exceeds(budget) {
                    all.add(-segment.count, -segment.records.count)
                    count += 1
                }
                writer.evictOwn(count, reason)
                break
            }
            let counts = use.lanes.map { writer.counts(of: $0, in: table) }
            let fullest = counts.indices.max {
                reason == .countBudget ? counts[$0].total < counts[$1].total : counts[$0].bytes < counts[$1].bytes
            }
            guard let fullest else {
                products[product] = nil
                continue
            }
            let lane = use.lanes[fullest]
            let victims = takeOldest(of: table.queues[lane], counts[fullest], &found, outbox: outbox) {
                !row.isErased($0.user, $0.decision)
            }
            if victims.isEmpty { products[product]?.lanes.remove(at: fullest) }
            for segment in victims where all.exceeds(budget) && (rest.events > 0 || rest.bytes > 0) {
                let ids = (try? outbox.segment(at: segment.place))?.read().map(\.id)
                writer.evict(segment, ids: ids ?? [], lane: lane, in: table, reason)
                products[product]?.add(-segment.count, -segment.bytes)
                all.add(-segment.count, -segment.bytes)
                rest.add(-segment.count, -segment.bytes)
            }
        }
    }

    /// Takes the oldest evictable segments of the lowest priority of a lane.
    ///
    /// If other segments precede all of them, those of a higher priority are taken after a bounded search.
    private mutating func takeOldest(
        of lane: LaneQueue,
        _ counts: LaneCounts,
        _ found: inout Found,
        outbox: Outbox,
        where isLeft: (SegmentSummary) -> Bool
    ) -> ArraySlice<SegmentSummary> {
        for priority in TrackOptions.Priority.allCases where counts.events[priority.rawValue] > 0 {
            let search = Search(lane: lane.stored.number, priority: priority)
            if found.pages[search] == nil {
                let batched = found.batched[search.lane] ?? lane.batchedPlaces
                found.batched[search.lane] = batched
                found.pages[search] = nextPage(of: search, in: lane.stored, &found, outbox: outbox) {
                    $0.priority == priority && !batched.contains($0.place) && isLeft($0)
                }
            }
            guard let page = found.pages[search], !page.isEmpty else { continue }
            let rest = page.dropFirst(Evictor.quantum)
            found.pages[search] = rest.isEmpty ? nil : rest
            return page.prefix(Evictor.quantum)
        }
        return []
    }

    /// Returns the next evictable segments of a lane and a priority in order, or none if there are no more.
    ///
    /// The first search for a group begins where the last one found none, because earlier segments have another priority
    /// or belong to a batch. At the lane's end, it starts over once, because a batch may be dissolved.
    private mutating func nextPage(
        of search: Search,
        in lane: StoredLane,
        _ found: inout Found,
        outbox: Outbox,
        where isEvictable: (SegmentSummary) -> Bool
    ) -> ArraySlice<SegmentSummary> {
        repeat {
            let place = found.ends[search] ?? starts[search]
            found.rows += Evictor.rows.page
            let page = try? outbox.summaries(of: lane, after: place, limit: Evictor.rows.page)
            guard let page, let last = page.last else {
                guard starts[search] != nil, found.restarted.insert(search).inserted else { break }
                (starts[search], found.ends[search]) = (nil, nil)
                continue
            }
            found.ends[search] = last.place
            let evictable = page.filter { isEvictable($0) && !found.gone.contains($0.place) }
            guard evictable.isEmpty else {
                found.gone.formUnion(evictable.map(\.place))
                return evictable[...]
            }
            if place == starts[search] { starts[search] = last.place }
        } while found.rows < Evictor.rows.group
        return []
    }

    /// The number of a lane, and the priority of a search in it.
    private struct Search: Hashable {
        let lane: Int
        let priority: TrackOptions.Priority
    }

    /// The results of the searches for one group.
    private struct Found {
        /// The evictable segments not yet evicted, or none at the end of a search.
        var pages: [Search: ArraySlice<SegmentSummary>] = [:]
        /// The places of the segments in all pages.
        var gone: Set<SegmentPlace> = []
        /// The places of the last read segments.
        var ends: [Search: SegmentPlace] = [:]
        /// The searches that have started over.
        var restarted: Set<Search> = []
        /// The places of the segments in batches, by the number of the lane.
        var batched: [Int: Set<SegmentPlace>] = [:]
        /// The number of read segments.
        var rows = 0
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
