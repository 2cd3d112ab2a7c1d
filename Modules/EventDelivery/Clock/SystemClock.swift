import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        #else
        var size = 0
        sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0)
        var bytes = [UInt8](repeating: 0, count: size)
        sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }
}
