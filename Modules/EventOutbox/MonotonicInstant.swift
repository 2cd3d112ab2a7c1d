/// A moment of a clock that never goes back, in nanoseconds since the machine's start.
///
/// All waiting is done on it. It means nothing after a restart of the machine: what must survive one is stored as a
/// remaining duration.
public struct MonotonicInstant: Sendable, Hashable {
    /// Nanoseconds since the machine's start, sleep included.
    public let nanoseconds: Int64

    /// Creates an instant.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant after a duration.
    ///
    /// Saturates at the end of the range.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return MonotonicInstant(nanoseconds: overflow ? .max : sum)
    }

    /// The duration from this instant to a later one; negative when the other is earlier.
    ///
    /// Saturates at the ends of the range.
    public func duration(to other: MonotonicInstant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return .nanoseconds(overflow ? (nanoseconds < 0 ? .max : .min) : difference)
    }
}

extension MonotonicInstant: Comparable {
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in whole nanoseconds, saturating at about ±292 years.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}
