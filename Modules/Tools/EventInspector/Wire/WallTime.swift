import Foundation

/// The wall clock.
enum WallTime {
    /// The current time, in microseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }
}
