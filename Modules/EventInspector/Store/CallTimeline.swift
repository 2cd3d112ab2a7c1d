/// The deliveries of one planned event by one sender, in the order in which they were tracked; it says which of them
/// come from one call of `track`.
///
/// A call hands its services their parts one after the other, in the plan's order. A run of deliveries in that order,
/// close to each other, is one call, unless a neighbour could claim a part of it: two calls that interleave stay
/// single deliveries, and nothing is merged by guess. The result depends on what is known, and not on the order in
/// which it became known.
struct CallTimeline: Sendable {
    /// One delivery.
    struct Entry: Sendable, Hashable {
        /// When it was tracked.
        let stamp: EventStamp
        /// The place of its service among those of the event.
        let call: Int
        /// What it is.
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
        return CallTimeline.calls(in: runs(first...last))
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
        for index in range where index > start && entries[index].call <= entries[index - 1].call {
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
            let isClaimed = before.map { $0.call < last.call } ?? false || after.map { $0.call > first.call } ?? false
            return isClaimed ? run.map { [$0.sighting] } : [run.map(\.sighting)]
        }
    }
}
