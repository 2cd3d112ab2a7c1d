/// The outcome of an event tracked by ``DeliveryLane/trackUntilStored(_:parameters:defaults:options:)``.
public struct Receipt: Sendable, Equatable {
    /// The outcome of the event.
    package enum Outcome: Sendable, Equatable {
        case stored
        case dropped(DropReason)
    }

    /// The event's id, which its receiver gets too.
    public let id: EventID
    /// The outcome of the event.
    package let outcome: Outcome

    package init(id: EventID, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }

    /// Whether the event is stored, as safely as its durability requests.
    ///
    /// A stored event is delivered, quarantined, or counted as dropped.
    public var isStored: Bool { outcome == .stored }

    /// The reason for dropping the event, or `nil` if it is stored.
    ///
    /// With `closed` or `storageFull`, the engine was closed before it knew whether the event was stored. If the disk
    /// reported an error but had written the event, the next start finds it and delivers it.
    public var dropReason: DropReason? { if case .dropped(let reason) = outcome { reason } else { nil } }
}

/// A continuation that waits for an event's receipt.
///
/// The class is a box, so events without a receipt pay only for one pointer. The compiler knows no layout for a
/// continuation, which makes moving each value that contains one expensive.
package final class PendingReceipt: Sendable {
    private let continuation: CheckedContinuation<Receipt, Never>

    package init(_ continuation: CheckedContinuation<Receipt, Never>) {
        self.continuation = continuation
    }

    /// Returns the receipt to the caller.
    ///
    /// Call this once.
    package func resume(returning receipt: Receipt) {
        continuation.resume(returning: receipt)
    }
}
