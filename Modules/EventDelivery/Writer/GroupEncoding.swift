import Dispatch
import Synchronization

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
