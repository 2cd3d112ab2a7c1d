package import CoreTracker

/// One tracked event in memory, before it is encoded and stored.
package struct BufferedEvent: Sendable {
    package let lane: Int
    package let options: TrackOptions
    package let id: EventID
    /// The decision number of the last decision or erasure before the event.
    package let number: UInt64
    package let time: Timestamp
    package let identity: FrozenIdentity
    package let name: String
    package let parameters: EventParameters
    package let defaults: EventParameters
    package let receipt: PendingReceipt?
    /// The event's profile update, or `nil` for an ordinary event.
    package var update: UpdateCall?
    /// The capacity reserved for the event.
    var share = BufferCapacity.Share()

    /// Returns the event's outcome to the waiting caller, if any.
    ///
    /// - Parameter outcome: The outcome.
    package func answer(_ outcome: Receipt.Outcome) {
        receipt?.resume(returning: Receipt(id: id, outcome: outcome))
    }
}

/// A group of events, and of counts of dropped events, that the writer takes out of the buffer together.
package struct BufferedGroup: Sendable {
    /// The chunks of the shards, each sorted by id.
    package var chunks: [[BufferedEvent]] = []
    /// The counts of dropped events not yet included in the stored ledgers, by lane and reason.
    package var refused: [Int: [DropReason: Int]] = [:]
    /// The counts of losses already reported by a diagnostic, by lane and reason.
    package var reported: [Int: [DropReason: Int]] = [:]
    /// Whether a decision before some of the events is possibly not applied yet.
    package var followsDecision = false

    package var isEmpty: Bool { chunks.isEmpty && refused.isEmpty }

    /// The number of events.
    package var count: Int { chunks.reduce(0) { $0 + $1.count } }

    /// The capacity reserved for all events.
    var share: BufferCapacity.Share {
        var share = BufferCapacity.Share()
        for chunk in chunks {
            // An index avoids a copy of each entry.
            for index in chunk.indices { share += chunk[index].share }
        }
        return share
    }

    /// Calls a block for each event in the order of the ids, which is the order of tracking.
    ///
    /// - Parameter body: The block.
    package func forEach(_ body: (BufferedEvent) -> Void) {
        var next = [Int](repeating: 0, count: chunks.count)
        while let (chunk, end) = lowest(from: next) {
            let entries = chunks[chunk]
            repeat {
                body(entries[next[chunk]])
                next[chunk] += 1
            } while next[chunk] < entries.count && entries[next[chunk]].id < end
        }
    }

    /// Returns the chunk whose next event has the lowest id, and the lowest next id of the other chunks.
    ///
    /// - Parameter next: The index of the next event in each chunk.
    private func lowest(from next: [Int]) -> (chunk: Int, end: EventID)? {
        let last = EventID(high: .max, low: .max)
        var (chunk, lowest, end) = (Int?.none, last, last)
        for index in chunks.indices where next[index] < chunks[index].count {
            let id = chunks[index][next[index]].id
            if id < lowest {
                (chunk, lowest, end) = (index, id, lowest)
            } else if id < end {
                end = id
            }
        }
        return chunk.map { ($0, end) }
    }
}
