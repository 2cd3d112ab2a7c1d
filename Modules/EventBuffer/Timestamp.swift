/// A moment of the wall clock, in microseconds since 1 January 1970 UTC.
///
/// It says when something happened; it never decides how long to wait (see ``MonotonicInstant``).
public struct Timestamp: Sendable, Hashable {
    /// Microseconds since 1 January 1970 UTC; negative before it.
    public let microseconds: Int64

    /// Creates a moment from microseconds since 1970.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Milliseconds since 1970, rounded towards the past.
    public var milliseconds: Int64 { microseconds / 1000 - (microseconds % 1000 < 0 ? 1 : 0) }

    /// Seconds since 1970, rounded towards the past.
    public var seconds: Int64 { microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0) }

    /// The moment after a number of seconds; negative seconds go back.
    ///
    /// Saturates at the ends of the range.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (step, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, carry) = microseconds.addingReportingOverflow(step)
        guard overflow || carry else { return Timestamp(microseconds: sum) }
        return Timestamp(microseconds: seconds < 0 ? .min : .max)
    }
}

extension Timestamp {
    /// Whether it lies within 9999 years of 1970, so that the distance to any other such moment is a number.
    package var isPossible: Bool { microseconds.magnitude <= 315_569_520_000_000_000 }
}

extension Timestamp: Comparable {
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}

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
