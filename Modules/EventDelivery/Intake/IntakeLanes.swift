import CoreTracker

/// The lanes that are known, with their books as far as they have left the buffer.
struct IntakeLanes: Sendable {
    /// What is known of a lane.
    struct Lane: Sendable {
        let id: LaneID
        /// The books as they were stored last.
        var stored = LaneLedger()
        /// Events that the writer has taken and not stored yet.
        var taken = 0
        /// Refusals that the writer has taken and not stored yet.
        var refused: [DropReason: Int] = [:]
        let denial = DenialFlag()
    }

    private(set) var lanes: [Lane] = []
    private var indices: [LaneID: Int] = [:]
    /// What the user has said about purposes since the engine was made.
    var consent: [ConsentPurpose: Consent] = [:]

    /// The index of a lane, which is made on first use.
    mutating func index(of id: LaneID) -> Int {
        if let index = indices[id] { return index }
        indices[id] = lanes.count
        lanes.append(Lane(id: id))
        return lanes.count - 1
    }

    /// Notes that a group has left the buffer.
    mutating func noteTaken(_ group: IntakeGroup) {
        count(group, as: 1)
        for (lane, refused) in group.refused { lanes[lane].refused.merge(refused, uniquingKeysWith: +) }
    }

    /// Notes that a group is in the outbox: the stored books now hold it.
    mutating func noteStored(_ group: IntakeGroup, ledgers: [Int: LaneLedger]) {
        count(group, as: -1)
        for (lane, refused) in group.refused {
            lanes[lane].refused.merge(refused, uniquingKeysWith: -)
            lanes[lane].refused = lanes[lane].refused.filter { $0.value != 0 }
        }
        publish(ledgers)
    }

    private mutating func count(_ group: IntakeGroup, as one: Int) {
        for chunk in group.chunks {
            // An entry is not copied for its lane's sake.
            for index in chunk.indices { lanes[chunk[index].lane].taken += one }
        }
    }

    /// Publishes the stored books of lanes.
    mutating func publish(_ ledgers: [Int: LaneLedger]) {
        for (lane, ledger) in ledgers { lanes[lane].stored = ledger }
    }
}
