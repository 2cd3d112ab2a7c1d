/// The deliveries of one sender in the order in which they were tracked, grouped by call of `track`.
///
/// A call hands its services their parts one after the other. A timeline holds the deliveries of one planned event, or
/// all deliveries that no plan covers:
///
/// - With a plan, a run of close deliveries in the plan's order is one call, unless a neighbour could claim a part of
///   it. Two calls that interleave stay single deliveries.
/// - Without a plan, close deliveries to different services are one call. If a service repeats among them, each
///   repetition begins a call, provided that all these calls have the same services in the same order. Otherwise the
///   deliveries stay single.
///
/// The result depends on the deliveries, and not on the order of their arrival.
struct CallTimeline: Sendable {
    /// One delivery.
    struct Entry: Sendable, Hashable {
        /// When it was tracked.
        let stamp: EventStamp
        let service: String
        /// The product of a delivery that no plan covers; `nil` if neither the sender nor the wire names it.
        let product: String?
        /// The place of its service among those of the planned event; `nil` without a plan.
        let call: Int?
        /// The number of the delivery.
        let sighting: Int
    }

    /// The deliveries that are looked at on either side of a new one.
    private static let reach = 32

    private var entries: [Entry] = []
    private var isSorted = true

    /// How many deliveries it holds.
    var count: Int { entries.count }

    /// Takes a delivery in.
    mutating func insert(_ entry: Entry) {
        if let last = entries.last, entry.stamp < last.stamp { isSorted = false }
        entries.append(entry)
    }

    /// Forgets deliveries.
    mutating func remove(where isGone: (Int) -> Bool) {
        entries.removeAll { isGone($0.sighting) }
    }

    /// The calls around a delivery: each is the deliveries that belong together, in their order.
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
        // A chain that goes on beyond the reach is a burst, in which nothing is certain.
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

    /// The longest pieces in which each delivery's service comes after the one before.
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
            // A part of this run could follow on what stands before it, or come before what stands after it.
            let isClaimed =
                before.map { $0.place < last.place } ?? false || after.map { $0.place > first.place } ?? false
            return isClaimed ? run.map { [$0.sighting] } : [run.map(\.sighting)]
        }
    }

    /// The calls in a chain of close deliveries that no plan covers.
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
        return isRegular ? calls.map { $0.map(\.sighting) } : chain.map { [$0.sighting] }
    }
}

extension CallTimeline.Entry {
    /// The place of its service in the planned call.
    fileprivate var place: Int { call ?? 0 }

    /// Whether another delivery goes to another service, and not from another product.
    fileprivate func canShareCall(with other: CallTimeline.Entry) -> Bool {
        service != other.service && (product == nil || other.product == nil || product == other.product)
    }
}
