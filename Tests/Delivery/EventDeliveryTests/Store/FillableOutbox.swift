import CoreTracker
import Locks

@testable import EventDelivery

/// An outbox, in memory unless told otherwise, whose disk a test fills and empties.
final class FillableOutbox: Outbox {
    /// Whether the disk is full; shared with the test.
    final class Disk: Sendable {
        private let state = Atomic(false)
        private let barriers = Mutex<[Bool]>([])
        private let script: @Sendable (Int) throws(OutboxError) -> Void

        /// Creates a disk; the script is run before each commit with the commit's number, from 1.
        init(script: @escaping @Sendable (Int) throws(OutboxError) -> Void = { _ in }) {
            self.script = script
        }

        /// Whether each commit that was tried is a barrier.
        var commits: [Bool] { barriers.withLock { $0 } }

        fileprivate func commit(barrier: Bool) throws(OutboxError) {
            let number = barriers.withLock { barriers in
                barriers.append(barrier)
                return barriers.count
            }
            try script(number)
            if isFull { throw .full }
        }

        var isFull: Bool {
            get { state.load(ordering: .relaxed) }
            set { state.store(newValue, ordering: .relaxed) }
        }
    }

    private let disk: Disk
    private let contents: any Outbox

    init(disk: Disk, contents: any Outbox = InMemoryOutbox()) {
        self.disk = disk
        self.contents = contents
    }

    func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        try disk.commit(barrier: barrier)
        try contents.commit(change, barrier: barrier)
    }

    func lanes() throws(OutboxError) -> [StoredLane] { try contents.lanes() }
    func batches(lane: Int) throws(OutboxError) -> [StoredBatch] { try contents.batches(lane: lane) }
    func segment(at place: SegmentPlace) throws(OutboxError) -> Segment? { try contents.segment(at: place) }
    func lastSummary(lane: Int) throws(OutboxError) -> SegmentSummary? { try contents.lastSummary(lane: lane) }
    func recount(lane: Int) throws(OutboxError) -> LaneUsage { try contents.recount(lane: lane) }
    var isPresent: Bool { contents.isPresent }
    func usage(lane: Int) throws(OutboxError) -> LaneUsage { try contents.usage(lane: lane) }
    func heldSegments(lane: Int) throws(OutboxError) -> [Segment] { try contents.heldSegments(lane: lane) }
    func erase(_ lanes: [StoredLane], with change: OutboxChange) throws(OutboxError) {
        try contents.erase(lanes, with: change)
    }
    func scrub() throws(OutboxError) { try contents.scrub() }
    func maintain() throws(OutboxError) { try contents.maintain() }
    func close() { contents.close() }

    func summaries(lane: Int, after place: SegmentPlace?, limit: Int) throws(OutboxError) -> [SegmentSummary] {
        try contents.summaries(lane: lane, after: place, limit: limit)
    }

    func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent] {
        try contents.quarantined(lane: lane, limit: limit)
    }
}
