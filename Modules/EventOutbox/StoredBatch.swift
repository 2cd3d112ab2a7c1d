/// A batch as it is stored from its first attempt on, so that every retry, also after a crash, is identical.
package struct StoredBatch: Sendable, Equatable {
    /// What a refusal of the whole batch has shown so far; see ``BatchVerdict/suspect(_:)``.
    package enum Suspicion: Int, Sendable {
        /// Nothing.
        case none = 0
        /// One half of a batch that was refused for no stated reason; the other half has not been tried.
        case half = 1
        /// A half that was refused too; it waits until the other half has been tried.
        case deferred = 2
        /// The other half was accepted, so the fault is in here.
        case proven = 3
    }

    package var id: EventID
    /// The packs of the batch, in order; never empty.
    package var packs: [PackPlace]
    /// How often the batch has been sent.
    package var attempts: Int
    package var suspicion: Suspicion

    package init(id: EventID, packs: [PackPlace], attempts: Int = 0, suspicion: Suspicion = .none) {
        self.id = id
        self.packs = packs
        self.attempts = attempts
        self.suspicion = suspicion
    }

    /// Whether the packs are ones that can be sent together, and every number is one that can have been reached.
    var isPossible: Bool {
        !packs.isEmpty && zip(packs, packs.dropFirst()).allSatisfy { $0 < $1 }
            && packs.allSatisfy { $0.isPossible && $0.lane == lane } && (0...(1 << 30)).contains(attempts)
    }

    /// The lane's number.
    package var lane: Int { packs.first?.lane ?? 0 }

    /// Whether the batch is sent before another one of its lane.
    package func precedes(_ other: StoredBatch) -> Bool {
        guard let first = packs.first, let otherFirst = other.packs.first, first != otherFirst else {
            return id < other.id
        }
        return first < otherFirst
    }
}
