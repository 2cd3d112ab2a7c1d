/// Two lists laid side by side: what was kept, and between it what was removed and inserted.
struct Alignment<Element: Hashable & Sendable> {
    /// What was removed and inserted since the last kept element, and the kept element that follows.
    struct Step {
        /// Elements of the first list alone.
        var removed: [Element] = []
        /// Elements of the second list alone.
        var inserted: [Element] = []
        /// The element of both lists; `nil` after the last one.
        var kept: Element?
    }

    /// The steps from the start of both lists to their ends.
    private(set) var steps: [Step] = []

    /// Lays two lists side by side with as few removals and insertions as possible.
    init(from old: [Element], to new: [Element]) {
        let changes = new.difference(from: old)
        let removed = Set(changes.removals.map(Alignment.offset))
        let inserted = Set(changes.insertions.map(Alignment.offset))
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

    private static func offset(of change: CollectionDifference<Element>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
