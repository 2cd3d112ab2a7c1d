/// An alignment of two lists: the elements of both, and the removals and insertions between them.
struct Alignment<Element: Hashable & Sendable> {
    /// The elements removed and inserted since the last common element, and the next common element.
    struct Step {
        /// The elements that are only in the first list.
        var removed: [Element] = []
        /// The elements that are only in the second list.
        var inserted: [Element] = []
        /// The element of both lists, or `nil` in the last step.
        var kept: Element?
    }

    /// The steps from the start to the end of both lists.
    private(set) var steps: [Step] = []

    /// Aligns two lists with as few removals and insertions as possible.
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
