import Dispatch
import Locks

/// Turns groups of tracked events into changes of the outbox, within the budget.
struct GroupCommitter {
    private let budget: DeliveryBudget
    private let disclosure: Disclosure
    private var encoder = EventEncoder()
    private var evictor = Evictor()
    /// Encodes a group while the one before is committed.
    let ahead: GroupEncoding

    init(budget: DeliveryBudget, salt: Secret?, runtime: EngineRuntime) {
        self.budget = budget
        disclosure = Disclosure(salt: salt)
        ahead = GroupEncoding(isInline: !runtime.encodesAhead)
    }

    /// Writes a group against lanes as they are.
    mutating func write(
        _ group: IntakeGroup,
        lanes: [LaneQueue],
        at moment: StoredMoment,
        deviceID: String,
        outbox: any Outbox
    ) -> WrittenGroup {
        var written = prepare(group, lanes: lanes, at: moment, deviceID: deviceID)
        written.write(encoder: &encoder)
        makeRoom(in: &written, outbox: outbox)
        return written
    }

    /// A group that is still to be written, against lanes as they will be.
    func prepare(
        _ group: IntakeGroup,
        lanes: [LaneQueue],
        at moment: StoredMoment,
        deviceID: String
    ) -> WrittenGroup {
        let writer = GroupWriter(
            lanes: lanes,
            moment: moment,
            deviceID: deviceID,
            heldBudget: budget.heldEvents,
            disclosure: disclosure
        )
        return WrittenGroup(group: group, writer: writer)
    }

    /// Evicts until a group's change fits the budget.
    mutating func makeRoom(in written: inout WrittenGroup, outbox: any Outbox) {
        evictor.makeRoom(in: &written.writer, budget: budget, outbox: outbox)
    }
}

/// Encodes a group on a queue of its own, while the store commits the one before.
///
/// One group at a time: whoever has started one finishes it before starting another. The queue has the store's quality
/// of service, and whoever waits lends it the thread's own.
final class GroupEncoding: Sendable {
    private struct State {
        /// Stays here, so that its memory is never copied.
        var encoder = EventEncoder()
        var current: WrittenGroup?
    }

    private let queue = DispatchQueue(label: "EventDelivery.encoding", qos: SerialQueueExecutor.quality)
    private let state = Mutex(State())

    private let isInline: Bool

    /// - Parameter isInline: Whether a group is encoded at once, by whoever starts it.
    init(isInline: Bool) {
        self.isInline = isInline
    }

    /// Begins to encode a group.
    func start(_ group: WrittenGroup) {
        state.withLock { $0.current = group }
        guard !isInline else { return state.withLock { $0.current?.write(encoder: &$0.encoder) } }
        queue.async {
            self.state.withLock { $0.current?.write(encoder: &$0.encoder) }
        }
    }

    /// Waits until the group is encoded, and hands it over; `nil` when none was started.
    func finish() -> WrittenGroup? {
        guard !isInline else { return state.withLock { $0.current.take() } }
        return queue.sync { state.withLock { $0.current.take() } }
    }
}

/// A group with what its writer makes of it.
struct WrittenGroup: Sendable {
    let group: IntakeGroup
    var writer: GroupWriter

    /// Lets the writer write the group.
    mutating func write(encoder: inout EventEncoder) {
        writer.write(group, encoder: &encoder)
    }
}
