import CoreTracker

/// The counts of a lane: each accepted event is counted in exactly one other column.
///
/// `accepted = delivered + pending + quarantined + Σ dropped` is true at every moment, across restarts.
public struct LaneLedger: Sendable, Equatable {
    /// The number of events tracked on the lane, including dropped ones.
    public package(set) var accepted = 0
    /// The number of events acknowledged by the receiver.
    public package(set) var delivered = 0
    /// The number of events refused by a receiver and kept for inspection.
    public package(set) var quarantined = 0
    /// The counts of dropped events by reason.
    public package(set) var dropped: [DropReason: Int] = [:]
    /// The counts of events adjusted before sending, by the adjustment's rule.
    ///
    /// These events are also counted in another column.
    public package(set) var adjusted: [String: Int] = [:]

    /// Creates an empty ledger.
    public init() {}

    /// The largest plausible count.
    ///
    /// A device cannot track as many events. Larger values in a file are treated as corruption. The sum of all counts of
    /// all lanes in a file cannot overflow: 4,096 lanes with hundreds of reasons each.
    package static let maximumCount = Int.max >> 22

    /// The number of accepted events not yet settled.
    ///
    /// These events are in memory, queued on disk, or in a request, or they await consent. Quarantined events are not
    /// pending.
    public var pending: Int {
        accepted.saturatingSubtract(delivered).saturatingSubtract(quarantined).saturatingSubtract(droppedTotal)
    }

    /// The number of dropped events, for all reasons.
    public var droppedTotal: Int { dropped.values.reduce(0) { $0.saturatingAdd($1) } }

    /// Whether every count is plausible.
    package var isPossible: Bool {
        let counts = [accepted, delivered, quarantined] + dropped.values + adjusted.values
        return counts.allSatisfy((0...LaneLedger.maximumCount).contains)
    }

    /// Counts dropped events.
    ///
    /// Ignores a count below 1.
    ///
    /// - Parameters:
    ///   - count: The number of events.
    ///   - reason: The reason.
    package mutating func drop(_ count: Int, _ reason: DropReason) {
        guard count > 0 else { return }
        let isKnown = dropped[reason] != nil
        let name = isKnown ? reason : LaneLedger.isCountable(reason.name, beside: dropped.count) ? reason : .other
        dropped[name] = (dropped[name] ?? 0).saturatingAdd(count)
    }

    /// Counts adjusted events.
    ///
    /// - Parameters:
    ///   - count: The number of events.
    ///   - rule: The adjustment's rule.
    package mutating func adjust(_ count: Int, _ rule: String) {
        let isKnown = adjusted[rule] != nil
        let name = isKnown || LaneLedger.isCountable(rule, beside: adjusted.count) ? rule : DropReason.other.name
        adjusted[name] = (adjusted[name] ?? 0).saturatingAdd(count)
    }

    /// The maximum number of reasons or rules counted by name.
    package static let maximumNames = 200
    /// The maximum size of such a name in bytes.
    package static let maximumNameBytes = 128

    /// Whether a new name is short enough, and can be stored on one line beside the known ones.
    private static func isCountable(_ name: String, beside count: Int) -> Bool {
        count < maximumNames && name.utf8.count <= maximumNameBytes && !name.utf8.contains { $0 < 0x20 }
    }

    /// Corrects the ledger to match the events found.
    ///
    /// A missing event is counted as `corrupted`. An additional event is counted as accepted.
    ///
    /// - Parameters:
    ///   - found: The number of pending events found.
    ///   - refused: The number of quarantined events found.
    /// - Returns: The number of missing events.
    @discardableResult
    package mutating func agree(pending found: Int, quarantined refused: Int) -> Int {
        quarantined = refused
        let missing = pending.saturatingSubtract(found)
        drop(missing, .corrupted)
        if missing < 0 { accepted = accepted.saturatingSubtract(missing) }
        return max(0, missing)
    }

    /// Returns the change of the ledger since an earlier state.
    ///
    /// Events pending in the earlier state are not counted as accepted again.
    ///
    /// - Parameter earlier: The earlier state of the same ledger.
    /// - Returns: The differences of all counts.
    package func since(_ earlier: LaneLedger) -> LaneLedger {
        var difference = self
        difference.accepted = accepted.saturatingSubtract(earlier.accepted)
        difference.delivered = delivered.saturatingSubtract(earlier.delivered)
        difference.quarantined = quarantined.saturatingSubtract(earlier.quarantined)
        difference.dropped.subtract(earlier.dropped)
        difference.adjusted.subtract(earlier.adjusted)
        return difference
    }
}

extension Dictionary where Value == Int {
    /// Adds counts.
    mutating func add(_ counts: [Key: Int]) { for (key, count) in counts { self[key, default: 0] += count } }

    /// Subtracts counts, and removes those that are 0.
    mutating func subtract(_ counts: [Key: Int]) {
        for (key, count) in counts { self[key] = self[key, default: 0].saturatingSubtract(count) }
        for (key, count) in self where count == 0 { self[key] = nil }
    }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// Returns the sum, or the end of the range if it overflows.
    ///
    /// A damaged file may contain any number.
    ///
    /// - Parameter other: The number to add.
    @inlinable
    package func saturatingAdd(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the difference, or the end of the range if it overflows.
    ///
    /// - Parameter other: The number to subtract.
    @inlinable
    package func saturatingSubtract(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// Returns the product, or the end of the range if it overflows.
    ///
    /// - Parameter other: The factor.
    @inlinable
    package func saturatingMultiply(_ other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
