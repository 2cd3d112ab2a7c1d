import CoreTracker
import EventBuffer

/// A table of the store's lanes, each with the signal that wakes its runner.
///
/// A lane has the same index here and in the event buffer.
struct LaneTable {
    var queues: [LaneQueue] = []
    private(set) var wakes: [WakeSignal] = []
    private let buffer: EventBuffer
    private let destinations: [LaneID: any Destination]

    init(buffer: EventBuffer, destinations: [any Destination]) {
        self.buffer = buffer
        self.destinations = Dictionary(destinations.map { ($0.lane, $0) }) { first, _ in first }
    }

    var indices: Range<Int> { queues.indices }

    subscript(index: Int) -> LaneQueue {
        get { queues[index] }
        _modify { yield &queues[index] }
    }

    /// Creates a queue for each lane that was added to the event buffer since the last call.
    mutating func adopt() {
        let known = buffer.withLanes { lanes in
            lanes.lanes.indices.dropFirst(queues.count).map { (lanes.lanes[$0], lanes.word(of: $0)) }
        }
        for (lane, word) in known {
            let number = (queues.map(\.stored.number).max() ?? 0) + 1
            // Events of earlier runs are checked when the engine opens, for any decision.
            queues.append(
                LaneQueue(
                    stored: StoredLane(number: number, id: lane.id),
                    destination: destinations[lane.id],
                    consent: word,
                    holds: lane.holds
                )
            )
            wakes.append(WakeSignal())
        }
    }

    /// Returns the index of a lane, which is created if it is new.
    mutating func index(of id: LaneID) -> Int {
        let index = buffer.withLanes { $0.index(of: id) }
        adopt()
        return index
    }

    /// Whether the user has agreed to the purpose of any destination.
    ///
    /// Only then may the installation's ID be stored on disk.
    var mayIdentify: Bool {
        queues.contains { $0.destination != nil && $0.consent.consent == .granted }
    }

    /// The stored rows of all lanes.
    var rows: [StoredLane] { queues.map(\.stored) }

    /// The indices of the lanes with a pending deletion.
    var owing: [Int] { indices.filter { queues[$0].owesPurge } }

    /// The stored numbers of the lanes with a pending deletion.
    var refused: Set<Int> { Set(owing.map { queues[$0].stored.number }) }

    /// Returns the sequence number of the last denial of a purpose in this process, or 0 if there is none.
    func lastDenial(about purpose: String) -> UInt64 {
        buffer.withLanes { $0.words[ConsentPurpose(purpose)]?.denial ?? 0 }
    }

    /// Publishes the ledgers and statuses of lanes, and wakes their runners.
    func publish(_ indices: some Sequence<Int>) {
        buffer.withLanes { lanes in
            for index in indices { lanes.publish(index, queues[index].stored.ledger, queues[index].status) }
        }
        for index in indices { wakes[index].signal() }
    }
}
