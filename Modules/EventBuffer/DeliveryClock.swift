#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The time that the delivery engine lives in: the wall clock for stamps, a monotonic clock for waiting.
///
/// Contract: `monotonicTime` never goes back, whatever happens to the wall clock; `sleep` returns at or after its
/// instant, and throws `CancellationError` soon after its task is cancelled. Checked by `ClockContract` in
/// `EventDeliveryTesting`.
public protocol DeliveryClock: Sendable {
    /// The wall clock's time; it may jump in both directions.
    func wallTime() -> Timestamp
    /// The time of the monotonic clock.
    func monotonicTime() -> MonotonicInstant
    /// Waits until an instant of the monotonic clock.
    func sleep(until instant: MonotonicInstant) async throws
    /// An identifier that changes when the machine restarts, so that stored waits are not measured across a start.
    ///
    /// It is never empty: where the system names no start, it is one of this process alone.
    var bootID: String { get }
}

/// The machine's own clocks.
///
/// Both reads cost some tens of nanoseconds and no system call on the usual platforms.
public struct SystemClock: DeliveryClock {
    /// Stands for a start of the machine that the system does not name.
    private static let unnamedStart = UUID().uuidString

    public let bootID: String

    /// Creates a clock; reads the machine's boot identifier once.
    public init() {
        self.init(bootID: SystemClock.readBootID())
    }

    /// Takes what the system says; where it says nothing, no two processes count as of one start.
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
        let remaining = monotonicTime().duration(to: instant)
        guard remaining > .zero else { return try Task.checkCancellation() }
        try await ContinuousClock().sleep(for: remaining)
    }

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
