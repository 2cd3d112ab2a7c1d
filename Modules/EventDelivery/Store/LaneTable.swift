import CoreTracker

/// The lanes of the store, by the intake's index, each with what wakes its runner.
struct LaneTable {
    /// The lanes themselves.
    var queues: [LaneQueue] = []
    private(set) var wakes: [WakeSignal] = []
    private let intake: Intake
    private let destinations: [LaneID: any Destination]

    init(intake: Intake, destinations: [any Destination]) {
        self.intake = intake
        self.destinations = Dictionary(destinations.map { ($0.lane, $0) }) { first, _ in first }
    }

    /// The indices of all lanes.
    var indices: Range<Int> { queues.indices }

    subscript(index: Int) -> LaneQueue {
        get { queues[index] }
        _modify { yield &queues[index] }
    }

    /// Makes a queue for each lane that the intake has come to know since.
    mutating func adopt() {
        let known = intake.withLanes { lanes in
            lanes.lanes.indices.dropFirst(queues.count).map { (lanes.lanes[$0].id, lanes.word(of: $0)) }
        }
        for (id, word) in known {
            let number = (queues.map(\.stored.number).max() ?? 0) + 1
            // What an earlier run has left is looked at when the engine opens, whatever the word is.
            queues.append(
                LaneQueue(stored: StoredLane(number: number, id: id), destination: destinations[id], consent: word)
            )
            wakes.append(WakeSignal())
        }
    }

    /// The index of a lane, which is made where it is new.
    mutating func index(of id: LaneID) -> Int {
        let index = intake.withLanes { $0.index(of: id) }
        adopt()
        return index
    }

    /// The stored rows of all lanes.
    var rows: [StoredLane] { queues.map(\.stored) }

    /// Publishes the ledgers of lanes and how they stand; their runners look again.
    func publish(_ indices: some Sequence<Int>) {
        intake.withLanes { lanes in
            for index in indices { lanes.publish(index, queues[index].stored.ledger, queues[index].status) }
        }
        for index in indices { wakes[index].signal() }
    }
}
