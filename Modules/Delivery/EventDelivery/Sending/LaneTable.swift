import CoreTracker
import EventDeliveryAPI
import EventOutbox

/// A table of the store's lanes, each with the signal that wakes its runner.
///
/// A lane has the same index here and in the event buffer.
struct LaneTable {
    var queues: [LaneQueue] = []
    private(set) var wakes: [WakeSignal] = []
    private let buffer: EventBuffer
    private let destinations: [LaneID: any Destination]
    private let schedule: (LaneID) -> SendingSchedule

    init(
        buffer: EventBuffer,
        destinations: [any Destination],
        schedule: @escaping (LaneID) -> SendingSchedule = { _ in .immediate }
    ) {
        self.buffer = buffer
        self.destinations = Dictionary(destinations.map { ($0.lane, $0) }) { first, _ in first }
        self.schedule = schedule
    }

    var indices: Range<Int> { queues.indices }

    subscript(index: Int) -> LaneQueue {
        get { queues[index] }
        _modify { yield &queues[index] }
    }

    /// Creates a queue for each lane added to the event buffer since the last call.
    mutating func adopt() {
        let known = buffer.withLanes { Array($0.lanes.dropFirst(queues.count)) }
        guard !known.isEmpty else { return }
        var number = queues.lazy.map(\.stored.number).max() ?? 0
        for lane in known {
            number += 1
            queues.append(
                LaneQueue(
                    stored: StoredLane(number: number, id: lane.id),
                    destination: destinations[lane.id],
                    consent: lane.consent,
                    holds: lane.holds,
                    schedule: schedule(lane.id)
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

    /// Uses the rows of an outbox.
    ///
    /// Other lanes start empty, with unused lane numbers.
    mutating func restore(_ rows: OutboxRows) {
        adopt()
        let found = Dictionary(uniqueKeysWithValues: rows.lanes.map { (index(of: $0.id), $0) })
        let batches = Dictionary(grouping: rows.batches, by: \.lane)
        var number = rows.lanes.map(\.number).max() ?? 0
        for index in indices {
            if let stored = found[index] {
                queues[index].restore(stored, batches: batches[stored.number] ?? [])
            } else {
                number += 1
                queues[index].restore(StoredLane(number: number, id: queues[index].id), batches: [])
            }
        }
    }

    /// The stored rows of all lanes.
    var rows: [StoredLane] { queues.map(\.stored) }

    /// Publishes the ledgers and statuses of lanes, and wakes their runners.
    ///
    /// - Parameters:
    ///   - indices: The lanes.
    ///   - reason: The reason if the engine waits for its directory.
    func publish(_ indices: some Sequence<Int>, waiting reason: OutboxError? = nil) {
        buffer.withLanes { lanes in
            for index in indices {
                var status = queues[index].status
                status.waitsForDirectory = reason
                lanes.publish(index, queues[index].stored.ledger, status)
            }
        }
        for index in indices { wakes[index].signal() }
    }
}
