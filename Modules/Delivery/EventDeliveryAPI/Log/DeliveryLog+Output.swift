#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
#if canImport(os)
import os
#endif

extension DeliveryLog {
    #if canImport(os)
    private static let logger = Logger(subsystem: "EventDelivery", category: "delivery")

    /// Writes a line to the unified logging system.
    ///
    /// A line has no event data, so it is public.
    static func writeToSystem(_ entry: Entry) {
        let level: OSLogType =
            switch entry.level {
            case .warning: .error
            case .notice: .default
            case .debug: .debug
            }
        logger.log(level: level, "\(entry.description, privacy: .public)")
    }
    #else
    /// Writes a line to standard error.
    ///
    /// If the reader is too slow for a line, or has ended, the line is left out, so the engine never waits.
    static func writeToSystem(_ entry: Entry) {
        // A ready pipe takes a line without blocking.
        var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLOUT) != 0 else { return }
        let line = "EventDelivery \(entry.level.rawValue): \(entry)\n".utf8.prefix(maximumBytes)
        _ = OutputFile(descriptor: STDERR_FILENO).write(line)
    }

    /// The maximum size of a line, which a pipe takes as a whole.
    private static let maximumBytes = 4_096
    #endif
}
