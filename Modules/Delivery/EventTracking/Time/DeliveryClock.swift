import CLibrary

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A clock of the engine: the wall clock for timestamps, and a monotonic clock for waits.
///
/// `monotonicTime` never decreases, even if the wall clock changes. `sleep` returns at or after its instant, and throws
/// `CancellationError` soon after its task is cancelled. `ClockContract` in `EventDeliveryTesting` checks this
/// contract.
public protocol DeliveryClock: Sendable {
    /// Returns the time of the wall clock, which may jump in both directions.
    ///
    /// - Returns: The time.
    func wallTime() -> Timestamp
    /// Returns the time of the monotonic clock.
    ///
    /// - Returns: The time, which never decreases.
    func monotonicTime() -> MonotonicInstant
    /// Waits until an instant of the monotonic clock.
    ///
    /// - Parameter instant: The end of the wait.
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(until instant: MonotonicInstant) async throws
    /// An identifier that changes when the machine restarts.
    ///
    /// Stored waits are not measured across a restart. The identifier is never empty. If the system provides none, it
    /// is unique to this process.
    var bootID: String { get }
}

/// The clocks of the machine.
///
/// Reading either one takes some tens of nanoseconds, without a system call on the usual platforms.
public struct SystemClock: DeliveryClock {
    /// The boot identifier if the system provides none.
    private static let unnamedStart = UUID().uuidString

    public let bootID: String

    /// Creates a clock, and reads the machine's boot identifier once.
    public init() {
        self.init(bootID: SystemClock.readBootID())
    }

    /// Creates a clock with a boot identifier.
    ///
    /// - Parameter bootID: The identifier. If it is empty, the clock uses an identifier unique to this process.
    init(bootID: String) {
        self.bootID = bootID.isEmpty ? SystemClock.unnamedStart : bootID
    }

    public func wallTime() -> Timestamp {
        let time = SystemClock.read(CLOCK_REALTIME)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    public func monotonicTime() -> MonotonicInstant {
        #if canImport(Darwin)
        let time = SystemClock.read(CLOCK_MONOTONIC_RAW)
        #else
        let time = SystemClock.read(CLOCK_BOOTTIME)
        #endif
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    public func sleep(until instant: MonotonicInstant) async throws {
        let start = monotonicTime()
        while true {
            let now = monotonicTime()
            let remaining = now.duration(to: instant)
            guard remaining > .zero else { return try Task.checkCancellation() }
            let part = SystemClock.longestPart(after: start.duration(to: now))
            try await ContinuousClock().sleep(for: min(remaining, part))
        }
    }

    /// Returns the maximum length of the next part of a sleep.
    ///
    /// The standard library keeps half a kilobyte for a cancelled sleep until the sleep's end. A lane that waits for an
    /// hour starts a new sleep for each stored group, so the parts of a long sleep are short at first.
    ///
    /// - Parameter elapsed: The time slept so far.
    static func longestPart(after elapsed: Duration) -> Duration { max(.seconds(10), elapsed * 8) }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }

    private static func readBootID() -> String {
        #if os(Linux)
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.filter { !$0.isWhitespace } ?? ""
        #else
        var size = 0
        sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0)
        var bytes = [UInt8](repeating: 0, count: size)
        sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }
}
