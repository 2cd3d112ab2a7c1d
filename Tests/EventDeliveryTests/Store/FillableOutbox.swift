import Synchronization

@testable import EventDelivery

/// An outbox in memory whose disk a test fills and empties.
final class FillableOutbox: Outbox {
    /// Whether the disk is full; shared with the test.
    final class Disk: Sendable {
        private let state = Atomic(false)

        var isFull: Bool {
            get { state.load(ordering: .relaxed) }
            set { state.store(newValue, ordering: .relaxed) }
        }
    }

    private let disk: Disk
    private let contents = InMemoryOutbox()

    init(disk: Disk) {
        self.disk = disk
    }

    func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError) {
        if disk.isFull { throw .full }
        contents.commit(change, barrier: barrier)
    }

    func lanes() throws(OutboxError) -> [StoredLane] { contents.lanes() }
    func batches(lane: Int) throws(OutboxError) -> [StoredBatch] { contents.batches(lane: lane) }
    func pack(at place: PackPlace) throws(OutboxError) -> Pack? { contents.pack(at: place) }
    func lastSummary(lane: Int) throws(OutboxError) -> PackSummary? { contents.lastSummary(lane: lane) }
    func adoptions() throws(OutboxError) -> Set<String> { contents.adoptions() }
    func recount(lane: Int) throws(OutboxError) -> LaneUsage { contents.recount(lane: lane) }
    var isPresent: Bool { true }
    func usage(lane: Int) throws(OutboxError) -> LaneUsage { contents.usage(lane: lane) }
    func heldPacks(lane: Int) throws(OutboxError) -> [Pack] { contents.heldPacks(lane: lane) }
    func purge(_ lanes: [StoredLane]) throws(OutboxError) { contents.purge(lanes) }
    func maintain() throws(OutboxError) {}
    func close() {}

    func summaries(lane: Int, after place: PackPlace?, limit: Int) throws(OutboxError) -> [PackSummary] {
        contents.summaries(lane: lane, after: place, limit: limit)
    }

    func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent] {
        contents.quarantined(lane: lane, limit: limit)
    }
}
