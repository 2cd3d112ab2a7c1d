import CoreTracker

/// A comparison of the expected and the tracked events.
///
/// Each event is represented by its lines.
struct EventDifference: Sendable {
    /// An event of the comparison.
    enum Entry: Sendable, Hashable {
        /// An expected and tracked event.
        case same([String])
        /// An expected event, missing from the tracked events.
        case missing([String])
        /// A tracked event, missing from the expected events.
        case unexpected([String])
        /// A tracked event in place of an expected event of the same type.
        case changed(expected: [String], tracked: [String])
    }

    /// The compared events, in the order of the comparison.
    private(set) var entries: [Entry] = []

    /// Compares events in order, with as few differences as possible.
    init(expected: [[String]], tracked: [[String]]) {
        for step in Alignment(from: expected, to: tracked).steps {
            entries += EventDifference.pairs(of: step.removed, with: step.inserted)
            if let block = step.kept { entries.append(.same(block)) }
        }
    }

    /// Compares events in any order.
    ///
    /// An event must be tracked as often as it is expected.
    init(inAnyOrder expected: [[String]], tracked: [[String]]) {
        var missing = expected
        var unexpected: [[String]] = []
        for block in tracked {
            if let index = missing.firstIndex(of: block) {
                entries.append(.same(missing.remove(at: index)))
            } else {
                unexpected.append(block)
            }
        }
        entries += EventDifference.pairs(of: missing, with: unexpected)
    }

    /// The same comparison, in which unexpected events do not count as differences.
    var allowingOthers: EventDifference {
        var copy = self
        copy.entries = entries.map { if case .unexpected(let block) = $0 { .same(block) } else { $0 } }
        return copy
    }

    /// Whether the expected and the tracked events are equal.
    var isEmpty: Bool {
        entries.allSatisfy { if case .same = $0 { true } else { false } }
    }

    private static func pairs(of missing: [[String]], with unexpected: [[String]]) -> [Entry] {
        var unpaired = missing
        let tracked = unexpected.map { block in
            guard let index = unpaired.firstIndex(where: { $0.first == block.first }) else {
                return Entry.unexpected(block)
            }
            return .changed(expected: unpaired.remove(at: index), tracked: block)
        }
        return unpaired.map { .missing($0) } + tracked
    }
}

extension EventDifference: CustomStringConvertible {
    /// A report with one line for each equal event and all lines of the others, `−` for expected and `+` for tracked.
    var description: String {
        (["tracked events differ (− expected, + tracked):"] + entries.flatMap(EventDifference.lines(of:)))
            .joined(separator: "\n")
    }

    private static func lines(of entry: Entry) -> [String] {
        switch entry {
        case .same(let block): block.prefix(1).map { "  \($0)" }
        case .missing(let block): block.map { "− \($0)" }
        case .unexpected(let block): block.map { "+ \($0)" }
        case .changed(let expected, let tracked): lines(from: expected, to: tracked)
        }
    }

    private static func lines(from expected: [String], to tracked: [String]) -> [String] {
        Alignment(from: expected, to: tracked).steps.flatMap { step in
            step.removed.map { "− \($0)" } + step.inserted.map { "+ \($0)" } + (step.kept.map { ["  \($0)"] } ?? [])
        }
    }
}

/// An alignment of two lists: the elements of both, and the removals and insertions between them.
struct Alignment<Element: Hashable & Sendable> {
    /// The elements removed and inserted since the last common element, and the next common element.
    struct Step {
        /// The elements of the first list only.
        var removed: [Element] = []
        /// The elements of the second list only.
        var inserted: [Element] = []
        /// The element of both lists, or `nil` in the last step.
        var kept: Element?
    }

    /// The maximum length of both lists together for a search that takes quadratic time and memory.
    private static var longest: Int { 2_000 }

    /// The steps from the start to the end of both lists.
    private(set) var steps: [Step] = []

    /// Aligns two lists with as few removals and insertions as possible.
    ///
    /// Long lists are aligned in one pass. If the second list contains the whole first one in order, the pass removes
    /// nothing. Otherwise it may find more differences than necessary.
    init(from old: [Element], to new: [Element]) {
        let isLong = old.count + new.count > Alignment.longest
        let (removed, inserted) = isLong ? Alignment.onePass(old, new) : Alignment.fewest(old, new)
        var step = Step()
        var oldIndex = 0
        for (newIndex, element) in new.enumerated() {
            guard !inserted.contains(newIndex) else {
                step.inserted.append(element)
                continue
            }
            while removed.contains(oldIndex) {
                step.removed.append(old[oldIndex])
                oldIndex += 1
            }
            oldIndex += 1
            step.kept = element
            steps.append(step)
            step = Step()
        }
        step.removed += old[min(oldIndex, old.count)...]
        steps.append(step)
    }

    /// Returns the fewest offsets to remove from the first list and to insert from the second one.
    private static func fewest(_ old: [Element], _ new: [Element]) -> (removed: Set<Int>, inserted: Set<Int>) {
        let changes = new.difference(from: old)
        return (Set(changes.removals.map(Alignment.offset)), Set(changes.insertions.map(Alignment.offset)))
    }

    /// Returns offsets to remove from the first list and to insert from the second one, found in one pass.
    private static func onePass(_ old: [Element], _ new: [Element]) -> (removed: Set<Int>, inserted: Set<Int>) {
        var (next, inserted) = (0, Set<Int>())
        for (index, element) in new.enumerated() {
            if next < old.count, element == old[next] { next += 1 } else { inserted.insert(index) }
        }
        return (Set(next..<old.count), inserted)
    }

    private static func offset(of change: CollectionDifference<Element>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
