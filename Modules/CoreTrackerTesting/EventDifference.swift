/// What separates the expected events from the tracked ones, each event given by its lines.
struct EventDifference: Sendable {
    /// One event of the comparison.
    enum Entry: Sendable, Hashable {
        /// Expected and tracked.
        case same([String])
        /// Expected and not tracked.
        case missing([String])
        /// Tracked and not expected.
        case unexpected([String])
        /// Tracked where another event of the same type was expected.
        case changed(expected: [String], tracked: [String])
    }

    /// The compared events, in their order as far as they have one.
    private(set) var entries: [Entry] = []

    /// Compares events in their order, by the shortest way from the expected to the tracked ones.
    init(expected: [[String]], tracked: [[String]]) {
        for step in Alignment(from: expected, to: tracked).steps {
            entries += EventDifference.pairs(of: step.removed, with: step.inserted)
            if let block = step.kept { entries.append(.same(block)) }
        }
    }

    /// Compares events whatever their order; an event that is expected twice must be tracked twice.
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

    /// The same comparison with every event that was not expected taken as allowed.
    var allowingOthers: EventDifference {
        var copy = self
        copy.entries = entries.map { if case .unexpected(let block) = $0 { .same(block) } else { $0 } }
        return copy
    }

    /// Whether nothing separates the events.
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
    /// One line for what is the same; the lines of what is not, `−` for expected and `+` for tracked.
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
