import CoreTracker
import EventBuffer

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

    /// Whether the user has agreed to the purpose of any destination, so that this installation may have an id on disk.
    var mayIdentify: Bool {
        queues.contains { $0.destination != nil && $0.consent.consent == .granted }
    }

    /// The stored rows of all lanes.
    var rows: [StoredLane] { queues.map(\.stored) }

    /// The indices of the lanes that a denial still has to delete from the disk.
    var owing: [Int] { indices.filter { queues[$0].owesPurge } }

    /// The numbers of those lanes.
    var refused: Set<Int> { Set(owing.map { queues[$0].stored.number }) }

    /// The number of the last denial of a purpose that this process has been told; 0 where there is none.
    func lastDenial(about purpose: String) -> UInt64 {
        intake.withLanes { $0.words[ConsentPurpose(purpose)]?.denial ?? 0 }
    }

    /// Publishes the ledgers of lanes and how they stand; their runners look again.
    func publish(_ indices: some Sequence<Int>) {
        intake.withLanes { lanes in
            for index in indices { lanes.publish(index, queues[index].stored.ledger, queues[index].status) }
        }
        for index in indices { wakes[index].signal() }
    }
}
