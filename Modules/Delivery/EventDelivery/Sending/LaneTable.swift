import CoreTracker
import EventOutbox
import EventTracking

/// A table of the store's lanes, each with the signal that wakes its runner.
///
/// A lane has the same index here and in the event buffer.
struct LaneTable {
    private(set) var queues: [LaneQueue] = []
    /// The stored events of all lanes together.
    private(set) var total = (events: 0, bytes: 0)
    /// The lanes with events or with a wait.
    private(set) var busy: Set<Int> = []
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
        self.destinations = destinations.keyed { ($0.lane, $0) }
        self.schedule = schedule
    }

    var indices: Range<Int> { queues.indices }

    subscript(index: Int) -> LaneQueue {
        get { queues[index] }
        _modify {
            let before = queues[index].stored.counts
            defer { count(index, insteadOf: before) }
            yield &queues[index]
        }
    }

    private mutating func count(_ index: Int, insteadOf before: LaneCounts = LaneCounts()) {
        let counts = queues[index].stored.counts
        // The counts of a damaged file can have any value.
        total = (total.events &+ counts.total &- before.total, total.bytes &+ counts.bytes &- before.bytes)
        if queues[index].isBusy { busy.insert(index) } else { busy.remove(index) }
    }

    /// Creates a queue for each lane added to the event buffer since the last call.
    mutating func adopt() {
        let known = buffer.withLanes { Array($0.lanes.dropFirst(queues.count)) }
        guard !known.isEmpty else { return }
        var number = indices.map { queues[$0].stored.number }.max() ?? 0
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
        defer { adopt() }
        return buffer.withLanes { $0.index(of: id) }
    }

    /// Uses the rows of an outbox.
    ///
    /// Other lanes start empty, with unused lane numbers.
    mutating func restore(_ rows: OutboxRows) {
        adopt()
        let found = rows.lanes.keyed { (index(of: $0.id), $0) }
        var number = rows.lanes.map(\.number).max() ?? 0
        for index in indices {
            if found[index] == nil { number += 1 }
            self[index].restore(found[index] ?? StoredLane(number: number, id: queues[index].id))
        }
    }

    /// The lanes with events that wait for their schedule.
    var waiting: Set<Int> { busy.filter { queues[$0].canWait } }

    /// The stored rows of all lanes.
    var rows: [StoredLane] { indices.map { queues[$0].stored } }

    /// Publishes the ledgers and statuses of lanes, and wakes their runners.
    ///
    /// - Parameters:
    ///   - indices: The lanes.
    ///   - group: The group that is stored now, if any.
    ///   - reason: The reason if the engine waits for its directory.
    /// - Returns: The lanes, each with its status, and whether a lane may have begun or ceased to wait for the app or for
    ///   its user.
    func publish(
        _ indices: [Int],
        storing group: BufferedGroup?,
        waiting reason: OutboxError?
    ) -> (lanes: [(lane: Int, status: LaneStatus)], areHeld: Bool) {
        let published = indices.map { index in
            var status = queues[index].status
            status.waitsForDirectory = reason
            return (lane: index, ledger: queues[index].stored.ledger, status: status)
        }
        let areHeld = buffer.publish(published, storing: group)
        for index in indices { wakes[index].signal() }
        return (published.map { ($0.lane, $0.status) }, areHeld)
    }
}
