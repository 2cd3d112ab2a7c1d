import Dispatch
import EventDeliveryAPI
import EventOutbox
import Locks

/// An encoder that turns groups of tracked events into outbox changes within the budget.
struct GroupEncoder {
    private let budget: DeliveryBudget
    private let redactor: SensitiveValueRedactor
    private let middleware: MiddlewareChain
    private var encoder = EventEncoder()
    private var evictor = Evictor()
    /// Encodes a group while the previous one is committed.
    let ahead: GroupEncoding

    init(_ configuration: DeliveryConfiguration, clock: any DeliveryClock, runtime: EngineRuntime) {
        budget = configuration.budget
        redactor = SensitiveValueRedactor(salt: configuration.salt)
        middleware = MiddlewareChain(configuration.middleware, clock: clock)
        ahead = GroupEncoding(isInline: !runtime.encodesAhead)
    }

    /// The state of the store, for encoding a group.
    struct Base {
        /// The lanes as they will be after the previous commit.
        var lanes: [LaneQueue]
        /// The decisions and the erasures that exclude events.
        let exclusions: PrivacyRows
        /// The row of the state, if it has changed.
        let changedState: PrivacyStateRow?
        /// The time, by both clocks.
        let moment: StoredMoment
        /// The engine's identity, which completes the identity of events from before the opening.
        let identity: CurrentIdentity
        /// The installation's id, for events tracked before it was known.
        let deviceID: String
        /// Whether there are listeners of outcomes, so each event has a receipt.
        let hasListeners: Bool
    }

    /// Encodes a group, and evicts events until it fits the budget.
    ///
    /// - Parameters:
    ///   - group: The tracked events.
    ///   - base: The state of the store.
    ///   - outbox: The outbox to search for events to evict.
    ///   - privacy: The stored erasures.
    mutating func encode(
        _ group: BufferedGroup,
        for base: Base,
        outbox: BufferedOutbox,
        privacy: PrivacyRows
    ) -> EncodedGroup {
        var encoded = prepare(group, for: base)
        encoded.encode(with: &encoder)
        makeRoom(in: &encoded, outbox: outbox, privacy: privacy)
        return encoded
    }

    /// Prepares a group that another thread will encode.
    ///
    /// - Parameters:
    ///   - group: The tracked events.
    ///   - base: The state of the store after the previous commit.
    func prepare(_ group: BufferedGroup, for base: Base) -> EncodedGroup {
        let writer = GroupWriter(
            base,
            consentBudget: budget.eventsAwaitingConsent,
            redactor: redactor,
            middleware: middleware
        )
        return EncodedGroup(group: group, writer: writer)
    }

    /// Evicts events until a group's change fits the budget.
    mutating func makeRoom(in encoded: inout EncodedGroup, outbox: BufferedOutbox, privacy: PrivacyRows) {
        evictor.makeRoom(in: &encoded.writer, budget: budget, outbox: outbox, privacy: privacy)
    }
}

/// A queue that encodes a group while the store commits the previous one.
///
/// It encodes one group at a time: call ``finish()`` before the next ``start(_:)``. The queue has the store's quality
/// of service, and a waiting thread lends it its priority.
final class GroupEncoding: Sendable {
    private struct State {
        /// The encoder stays inside the lock, so its memory is never copied.
        var encoder = EventEncoder()
        var current: EncodedGroup?
    }

    private let queue = DispatchQueue(label: "EventDelivery.encoding", qos: SerialQueueExecutor.quality)
    private let state = Mutex(State())

    private let isInline: Bool

    /// - Parameter isInline: Whether ``start(_:)`` encodes the group on the calling thread.
    init(isInline: Bool) {
        self.isInline = isInline
    }

    /// Starts encoding a group.
    func start(_ group: EncodedGroup) {
        state.withLock { $0.current = group }
        guard !isInline else { return state.withLock { $0.current?.encode(with: &$0.encoder) } }
        queue.async {
            self.state.withLock { $0.current?.encode(with: &$0.encoder) }
        }
    }

    /// Waits until the group is encoded.
    ///
    /// - Returns: The encoded group, or `nil` if none was started.
    func finish() -> EncodedGroup? {
        guard !isInline else { return state.withLock { $0.current.take() } }
        return queue.sync { state.withLock { $0.current.take() } }
    }
}

/// A group with its writer, which holds the resulting change.
struct EncodedGroup: Sendable {
    let group: BufferedGroup
    var writer: GroupWriter

    /// Encodes the group.
    mutating func encode(with encoder: inout EventEncoder) {
        writer.write(group, encoder: &encoder)
    }
}
