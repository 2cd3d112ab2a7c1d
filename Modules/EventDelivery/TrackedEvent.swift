public import CoreTracker
public import EventOutbox

/// An event that was tracked, as far as one needs it to ask what became of it.
public struct TrackedEvent: Sendable, Hashable {
    /// The event's id, the one that its receiver gets.
    public let id: EventID
    /// The lane that it was tracked on.
    public let lane: LaneID
    /// The event's name.
    public let name: String
    /// When it happened.
    public let time: Timestamp
}

extension DeliveryEngine {
    /// Returns the last events that were tracked, the newest first: those of a name, of a lane, or all.
    ///
    /// Their ids are what ``explain(_:)`` takes. Of each lane at least the last 64 are known, also before the engine is
    /// open; what was refused at once, such as without consent, is counted alone, and a restart forgets them.
    public func recentEvents(named name: String? = nil, on lane: LaneID? = nil, limit: Int = 20) -> [TrackedEvent] {
        let known = intake.recentEvents { (name ?? $0.name) == $0.name && (lane ?? $0.lane) == $0.lane }
        return Array(known.sorted { $0.id > $1.id }.prefix(max(0, limit)))
    }
}

/// What became of an event that the caller waited for.
public struct Receipt: Sendable, Hashable {
    /// What a receipt says.
    public enum Outcome: Sendable, Hashable {
        /// The event is stored, as safely as its durability says, and will be delivered or counted.
        case persisted
        /// The event is lost, and counted under the reason.
        ///
        /// With `closed`, the engine was closed before the event was known to be stored. Where the disk had reported an
        /// error for what it had written all the same, the next start finds the event and delivers it.
        case lost(DropReason)
    }

    /// How far an event must have come for its receipt.
    public enum Stage: Sendable, Hashable {
        /// Stored on this device.
        case persisted
    }

    /// The event's id, the one that its receiver gets.
    public let id: EventID
    /// What became of it.
    public let outcome: Outcome

    /// Creates a receipt.
    public init(id: EventID, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

/// Whoever waits for an event's receipt.
///
/// It is one word, and none of an event that nobody waits for; a continuation has no layout that the compiler knows,
/// which makes everything dear to move that has room for one.
final class PendingReceipt: Sendable {
    private let continuation: CheckedContinuation<Receipt, Never>

    init(_ continuation: CheckedContinuation<Receipt, Never>) {
        self.continuation = continuation
    }

    /// Hands the receipt over; once.
    func resume(returning receipt: Receipt) {
        continuation.resume(returning: receipt)
    }
}

/// Why a destination does not take an event: the rule that the event broke.
public struct EventRefusal: Error, Hashable {
    /// The rule's stable name in snake case, such as `name_too_long`; the ledger counts by it.
    public let rule: String
    /// The part of the event that broke it, such as a parameter's name; never a value.
    public let field: String?

    /// Creates a refusal.
    public init(rule: String, field: String? = nil) {
        self.rule = rule
        self.field = field
    }
}
