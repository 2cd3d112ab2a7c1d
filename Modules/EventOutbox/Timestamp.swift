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
    var isPossible: Bool { microseconds.magnitude <= 315_569_520_000_000_000 }
}

extension Timestamp: Comparable {
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}
