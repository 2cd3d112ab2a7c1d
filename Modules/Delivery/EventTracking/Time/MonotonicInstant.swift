/// A time of a clock that never goes back, in nanoseconds since the machine started.
///
/// The engine measures all waits with it. It is meaningless after a restart of the machine. A wait that must survive a
/// restart is stored as a remaining duration.
public struct MonotonicInstant: Sendable, Hashable {
    /// The number of nanoseconds since the machine started, including sleep.
    public let nanoseconds: Int64

    /// Creates an instant.
    ///
    /// - Parameter nanoseconds: The number of nanoseconds since the machine started.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Returns the instant after a duration.
    ///
    /// The result saturates at the end of the range.
    ///
    /// - Parameter duration: The duration. If it is negative, the result is earlier.
    /// - Returns: The resulting instant.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds.saturatingAdd(duration.nanoseconds))
    }

    /// Returns the duration from this instant to another one.
    ///
    /// The result saturates at the ends of the range.
    ///
    /// - Parameter other: The other instant.
    /// - Returns: The duration, which is negative if the other instant is earlier.
    public func duration(to other: MonotonicInstant) -> Duration {
        .nanoseconds(other.nanoseconds.saturatingSubtract(nanoseconds))
    }
}

extension MonotonicInstant: Comparable {
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in whole nanoseconds, which saturates at about ±292 years.
    package var nanoseconds: Int64 {
        // A sum of durations may exceed the range of `components`, which would trap.
        if self >= Duration.nanoseconds(Int64.max) { return .max }
        if self <= Duration.nanoseconds(Int64.min) { return .min }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The duration in whole seconds, rounded toward zero, which saturates at about ±292 years.
    package var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }
}
