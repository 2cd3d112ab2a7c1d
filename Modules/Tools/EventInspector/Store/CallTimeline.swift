/// The deliveries of one sender in the order of tracking, grouped by call of `track`.
///
/// A call passes an event to its services one after another. A timeline contains the deliveries of one planned event,
/// or all unplanned deliveries:
///
/// - With a plan, consecutive close deliveries in the plan's order are one call, unless a neighbor could belong to the
///   same call. If two calls interleave, their deliveries stay separate.
/// - Without a plan, close deliveries to different services are one call. If a service repeats among them, each
///   repetition starts another call, provided that all these calls have the same services in the same order. If only one
///   service repeats, and its deliveries follow one another, all deliveries are one call, because a vendor may receive
///   several events for a call. Otherwise the deliveries stay separate.
///
/// The result depends only on the deliveries, not on the order of their arrival.
struct CallTimeline: Sendable {
    /// A delivery.
    struct Entry: Sendable, Hashable {
        /// The time of tracking.
        let stamp: EventStamp
        let service: String
        /// The product of an unplanned delivery, or `nil` if it is unknown.
        let product: String?
        /// The position of its service among the services of the planned event, or `nil` without a plan.
        let call: Int?
        /// The number of the delivery.
        let sighting: Int
    }

    /// The maximum number of deliveries to examine before and after a new one.
    private static let reach = 32

    private var entries: [Entry] = []
    private var isSorted = true

    /// The number of deliveries.
    var count: Int { entries.count }

    /// Inserts a delivery.
    mutating func insert(_ entry: Entry) {
        if let last = entries.last, entry.stamp < last.stamp { isSorted = false }
        entries.append(entry)
    }

    /// Removes deliveries.
    mutating func remove(where isGone: (Int) -> Bool) {
        entries.removeAll { isGone($0.sighting) }
    }

    /// Returns the calls near a delivery, each with its deliveries in order.
    mutating func calls(around entry: Entry) -> [[Int]] {
        if !isSorted {
            entries.sort { $0.stamp < $1.stamp }
            isSorted = true
        }
        guard let index = position(of: entry) else { return [] }
        var (first, last) = (index, index)
        while first > 0, index - first < CallTimeline.reach, isLinked(first - 1, first) { first -= 1 }
        while last + 1 < entries.count, last - index < CallTimeline.reach, isLinked(last, last + 1) { last += 1 }
        guard entry.call == nil else { return CallTimeline.calls(in: runs(first...last)) }
        // A chain that exceeds the reach is a burst, in which calls cannot be distinguished.
        let isWhole = index - first < CallTimeline.reach && last - index < CallTimeline.reach
        return isWhole ? CallTimeline.unplannedCalls(in: entries[first...last]) : [[entry.sighting]]
    }

    private func isLinked(_ left: Int, _ right: Int) -> Bool { entries[left].stamp.isNear(entries[right].stamp) }

    private func position(of entry: Entry) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].stamp < entry.stamp { low = middle + 1 } else { high = middle }
        }
        return entries[low...].prefix { $0.stamp == entry.stamp }.firstIndex(of: entry)
    }

    /// Returns the longest parts of a range in which services are in ascending order.
    private func runs(_ range: ClosedRange<Int>) -> [ArraySlice<Entry>] {
        var runs: [ArraySlice<Entry>] = []
        var start = range.lowerBound
        for index in range where index > start && entries[index].place <= entries[index - 1].place {
            runs.append(entries[start..<index])
            start = index
        }
        return runs + [entries[start...range.upperBound]]
    }

    private static func calls(in runs: [ArraySlice<Entry>]) -> [[Int]] {
        runs.indices.flatMap { index -> [[Int]] in
            let run = runs[index]
            guard run.count > 1, let first = run.first, let last = run.last else { return run.map { [$0.sighting] } }
            let before = index > 0 ? runs[index - 1].last : nil
            let after = index + 1 < runs.count ? runs[index + 1].first : nil
            // A delivery of this run could also belong to the previous or to the next run.
            let isClaimed =
                before.map { $0.place < last.place } ?? false || after.map { $0.place > first.place } ?? false
            return isClaimed ? run.map { [$0.sighting] } : [run.map(\.sighting)]
        }
    }

    /// Returns the calls in a chain of close, unplanned deliveries.
    private static func unplannedCalls(in chain: ArraySlice<Entry>) -> [[Int]] {
        var calls: [[Entry]] = []
        for entry in chain {
            if let call = calls.last, call.allSatisfy({ $0.canShareCall(with: entry) }) {
                calls[calls.count - 1].append(entry)
            } else {
                calls.append([entry])
            }
        }
        let services = calls.first?.map(\.service)
        let isRegular = calls.allSatisfy { $0.map(\.service) == services }
        if isRegular { return calls.map { $0.map(\.sighting) } }
        return repeatsOneService(chain) ? [chain.map(\.sighting)] : chain.map { [$0.sighting] }
    }

    /// Returns whether the deliveries belong to several services, of which one receives several in a row.
    private static func repeatsOneService(_ chain: ArraySlice<Entry>) -> Bool {
        let repeats = zip(chain, chain.dropFirst()).filter { $0.service == $1.service }.map(\.0.service)
        let services = Set(chain.map(\.service))
        let products = Set(chain.compactMap(\.product))
        return Set(repeats).count == 1 && services.count + repeats.count == chain.count && products.count < 2
    }
}

extension CallTimeline.Entry {
    /// The position of its service in the planned call.
    fileprivate var place: Int { call ?? 0 }

    /// Returns whether another delivery has a different service and not a different product.
    fileprivate func canShareCall(with other: CallTimeline.Entry) -> Bool {
        service != other.service && (product == nil || other.product == nil || product == other.product)
    }
}
