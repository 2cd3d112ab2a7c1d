package import EventTracking

/// A time on the wall clock and on the monotonic clock.
package struct StoredMoment: Sendable, Equatable {
    package var wall: Timestamp
    package var monotonic: MonotonicInstant
    /// A checksum of the boot identifier: the monotonic time is comparable only within the same boot.
    package var boot: UInt32

    package init(wall: Timestamp, monotonic: MonotonicInstant, boot: UInt32) {
        self.wall = wall
        self.monotonic = monotonic
        self.boot = boot
    }

    /// Returns the checksum of a boot identifier, or 0 if it is empty.
    ///
    /// An empty identifier is unknown and equals no other.
    package static func checksum(ofBoot id: String) -> UInt32 {
        Checksum(of: id.utf8).value
    }

    /// Returns the age at another time.
    ///
    /// It is measured by the monotonic clock within one boot, otherwise by the wall clock.
    package func age(at now: StoredMoment) -> Duration {
        if boot == now.boot { return max(.zero, monotonic.duration(to: now.monotonic)) }
        let (age, overflow) = now.wall.microseconds.subtractingReportingOverflow(wall.microseconds)
        return .microseconds(overflow ? 0 : max(0, age))
    }
}
