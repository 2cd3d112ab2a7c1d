/// What one transaction changes; all of it happens or nothing does.
///
/// Removals come first, then grants, then insertions, so a pack can be replaced in place. Books and rows change
/// together, which is what keeps the ledger true across a crash.
package struct OutboxChange: Sendable {
    package var removed: [PackPlace] = []
    package var inserted: [Pack] = []
    package var removedHeld: [PackPlace] = []
    package var insertedHeld: [Pack] = []
    /// Lanes whose held packs become deliverable.
    package var grantedLanes: [Int] = []
    package var removedBatches: [EventID] = []
    package var savedBatches: [StoredBatch] = []
    package var removedQuarantined: [EventID] = []
    package var insertedQuarantined: [QuarantinedEvent] = []
    package var lanes: [StoredLane] = []
    /// The names of outboxes whose contents this change brings in.
    package var adopted: [String] = []

    package init() {}

    /// Whether it changes nothing.
    package var isEmpty: Bool {
        removed.isEmpty && inserted.isEmpty && removedHeld.isEmpty && insertedHeld.isEmpty && grantedLanes.isEmpty
            && removedBatches.isEmpty && savedBatches.isEmpty && removedQuarantined.isEmpty
            && insertedQuarantined.isEmpty && lanes.isEmpty && adopted.isEmpty
    }

    /// Stores a lane's row, in the place of one that the change has for it already.
    package mutating func note(_ lane: StoredLane) {
        lanes.removeAll { $0.number == lane.number }
        lanes.append(lane)
    }
}
