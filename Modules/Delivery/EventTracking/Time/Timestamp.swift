/// A time of the wall clock, in microseconds since 1 January 1970 UTC.
///
/// It is for the times of events. All waits use ``MonotonicInstant``.
public struct Timestamp: Sendable, Hashable {
    /// The number of microseconds since 1 January 1970 UTC.
    ///
    /// It is negative for earlier times.
    public let microseconds: Int64

    /// Creates a timestamp.
    ///
    /// - Parameter microseconds: The number of microseconds since 1 January 1970 UTC.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The number of milliseconds since 1970, rounded towards the past.
    public var milliseconds: Int64 { microseconds / 1000 - (microseconds % 1000 < 0 ? 1 : 0) }

    /// The number of seconds since 1970, rounded towards the past.
    public var seconds: Int64 { microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0) }

    /// Returns the time after a number of seconds.
    ///
    /// The result saturates at the ends of the range.
    ///
    /// - Parameter seconds: The number of seconds. If it is negative, the result is earlier.
    /// - Returns: The resulting time.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (step, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, carry) = microseconds.addingReportingOverflow(step)
        guard overflow || carry else { return Timestamp(microseconds: sum) }
        return Timestamp(microseconds: seconds < 0 ? .min : .max)
    }
}

extension Timestamp {
    /// Whether the time is within 9999 years of 1970.
    ///
    /// The difference of two such times cannot overflow.
    package var isPossible: Bool { microseconds.magnitude <= 315_569_520_000_000_000 }
}

extension Timestamp: Comparable {
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}
