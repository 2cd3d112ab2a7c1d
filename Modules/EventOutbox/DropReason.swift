/// Why an event was lost, as the ledger counts it: a stable name in snake case.
///
/// A destination's rule counts under `rule.` and the rule's name, such as `rule.name_too_long`.
public struct DropReason: Sendable, Hashable {
    /// The stable name.
    public let name: String

    /// Creates a reason from its stable name.
    public init(_ name: String) {
        self.name = name
    }

    /// The reason for an event that broke a destination's rule.
    public static func rule(_ rule: String) -> DropReason { DropReason("rule." + rule) }

    /// The memory buffer was full, or the engine was not opened in time.
    public static let bufferFull = DropReason("buffer_full")
    /// The engine was closed when the event was tracked.
    public static let closed = DropReason("closed")
    /// No destination serves the event's lane.
    public static let noDestination = DropReason("no_destination")
    /// The user has refused the destination's purpose.
    public static let consentDenied = DropReason("consent_denied")
    /// The most events or bytes that may wait for consent were reached.
    public static let heldBudget = DropReason("held_budget")
    /// The most events that may be stored were reached.
    public static let countBudget = DropReason("budget_count")
    /// The most bytes that may be stored were reached.
    public static let byteBudget = DropReason("budget_bytes")
    /// The event was older than events may become.
    public static let expired = DropReason("expired")
    /// The stored bytes were damaged, or missing from the file.
    public static let corrupted = DropReason("corrupted")
    /// One encoded event was larger than its destination takes.
    public static let tooLarge = DropReason("event_too_large")
    /// The quarantine was full, and this was the oldest event in it.
    public static let quarantineFull = DropReason("quarantine_full")
    /// The app discarded the event from quarantine.
    public static let discarded = DropReason("discarded")
    /// The app's sampling left the event out.
    public static let sampledOut = DropReason("sampled_out")
    /// More events of this name came than the app allows.
    public static let rateCapped = DropReason("rate_capped")
    /// The receiver answered that it lost the event and that it must not be sent again.
    public static let lostAtReceiver = DropReason("lost_at_receiver")
}

extension DropReason: CustomStringConvertible {
    public var description: String { name }
}
