import CoreTracker

/// The books of one lane: every event that was accepted is in exactly one of the other columns.
///
/// `accepted = delivered + pending + quarantined + Σ dropped` holds at every moment, across restarts.
public struct LaneLedger: Sendable, Hashable {
    /// Events that the lane has taken or had to refuse.
    public package(set) var accepted = 0
    /// Events that the receiver has acknowledged.
    public package(set) var delivered = 0
    /// Events that a receiver refused and that are kept for inspection.
    public package(set) var quarantined = 0
    /// Lost events by reason.
    public package(set) var dropped: [DropReason: Int] = [:]
    /// Events that were sent otherwise than they were tracked, by the repair's rule; they are counted elsewhere too.
    public package(set) var repaired: [String: Int] = [:]

    /// Creates empty books.
    public init() {}

    /// The largest count that is believed: far beyond what a device can track, and far from the end of the range.
    package static let most = Int.max >> 6

    /// Accepted events that are not settled: in memory, queued on disk, in a request, or held for consent.
    ///
    /// Quarantined events are not pending.
    public var pending: Int {
        accepted.saturatingSubtract(delivered).saturatingSubtract(quarantined).saturatingSubtract(droppedTotal)
    }

    /// Lost events of all reasons.
    public var droppedTotal: Int { dropped.values.reduce(0) { $0.saturatingAdd($1) } }

    /// Whether every count is one that a lane can have reached.
    package var isPossible: Bool {
        let counts = [accepted, delivered, quarantined] + dropped.values + repaired.values
        return counts.allSatisfy((0...LaneLedger.most).contains)
    }

    package mutating func drop(_ count: Int, _ reason: DropReason) {
        if count > 0 { dropped[reason] = (dropped[reason] ?? 0).saturatingAdd(count) }
    }

    package mutating func add(_ other: LaneLedger) {
        accepted = accepted.saturatingAdd(other.accepted)
        delivered = delivered.saturatingAdd(other.delivered)
        quarantined = quarantined.saturatingAdd(other.quarantined)
        dropped.merge(other.dropped) { $0.saturatingAdd($1) }
        repaired.merge(other.repaired) { $0.saturatingAdd($1) }
    }

    /// Corrects the ledger to match the events that were found, and returns the number of missing ones.
    ///
    /// A missing event is counted as dropped for the given reason. An event that the ledger did not include is counted
    /// as accepted.
    @discardableResult
    package mutating func agree(
        pending found: Int,
        quarantined refused: Int,
        missing reason: DropReason = .corrupted
    ) -> Int {
        quarantined = refused
        let missing = pending.saturatingSubtract(found)
        drop(missing, reason)
        if missing < 0 { accepted = accepted.saturatingSubtract(missing) }
        return max(0, missing)
    }

    /// The books of what happened after an earlier state of them; pending events of then count as carried over.
    package func since(_ earlier: LaneLedger) -> LaneLedger {
        var difference = self
        difference.accepted = accepted.saturatingSubtract(earlier.accepted)
        difference.delivered = delivered.saturatingSubtract(earlier.delivered)
        difference.quarantined = quarantined.saturatingSubtract(earlier.quarantined)
        difference.dropped.merge(earlier.dropped.mapValues { 0.saturatingSubtract($0) }) { $0.saturatingAdd($1) }
        difference.repaired.merge(earlier.repaired.mapValues { 0.saturatingSubtract($0) }) { $0.saturatingAdd($1) }
        difference.dropped = difference.dropped.filter { $0.value != 0 }
        difference.repaired = difference.repaired.filter { $0.value != 0 }
        return difference
    }
}

extension Int {
    /// The sum, or the end of the range where it does not fit: numbers of a file are anybody's.
    package func saturatingAdd(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the end of the range where it does not fit.
    package func saturatingSubtract(_ other: Int) -> Int {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// The product, or the end of the range where it does not fit.
    package func saturatingMultiply(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}

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
    /// The names and parameters of events that were not stored yet took all the memory that they may.
    public static let bufferBytes = DropReason("buffer_bytes")
    /// A parameter was nested deeper than `EventParameters.maximumDepth`.
    public static let tooDeep = DropReason("parameters_too_deep")
    /// The event had more parameters than `EventParameters.maximumCount`.
    public static let tooManyParameters = DropReason("too_many_parameters")
    /// The engine was closed when the event was tracked.
    public static let closed = DropReason("closed")
    /// No destination serves the event's lane.
    public static let noDestination = DropReason("no_destination")
    /// The event was for a vendor, and the product's tracker has no vendor service.
    public static let noVendorService = DropReason("no_vendor_service")
    /// The user has refused the destination's purpose.
    public static let consentDenied = DropReason("consent_denied")
    /// The app had what was stored of the event's user, or of everybody, erased.
    public static let erased = DropReason("erased")
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
    /// One encoded event was larger than its destination takes, or its name and parameters than 1 MiB.
    public static let tooLarge = DropReason("event_too_large")
    /// The quarantine was full, and this was the oldest event in it.
    public static let quarantineFull = DropReason("quarantine_full")
    /// The app, or somebody by hand, gave the event up.
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
