import CLibrary

#if canImport(os)
import os
#endif

/// The log of the operating system, and the choice of the environment.
package enum SystemLog {
    /// The line about an engine with events that was not opened.
    ///
    /// A program that never opens an engine may not contain the other lines.
    static let unopened =
        "events are only in memory, because the engine was never opened: call open(_:) when the program starts"

    /// Returns the value of the environment variable `EVENT_DELIVERY_LOG`, or `nil` if it is not set.
    ///
    /// It is `off` in an Xcode preview, and for an engine with another clock than `SystemClock`.
    ///
    /// - Parameters:
    ///   - clock: The engine's clock.
    ///   - environment: Returns the value of an environment variable.
    package static func choice(
        with clock: any DeliveryClock,
        environment: (String) -> String? = environment
    ) -> String? {
        guard clock is SystemClock, environment("XCODE_RUNNING_FOR_PREVIEWS") != "1" else { return "off" }
        return environment("EVENT_DELIVERY_LOG")
    }

    /// Returns the writer of the line about an engine that was not opened, or `nil` if the log is off.
    static func unopenedNotice(with clock: any DeliveryClock) -> (@Sendable () -> Void)? {
        guard choice(with: clock) != "off" else { return nil }
        return { write(unopened, level: "warning") }
    }

    /// Returns the value of an environment variable of the process.
    package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    #if canImport(os)
    private static let logger = Logger(subsystem: "EventDelivery", category: "delivery")

    /// Writes a line to the unified logging system.
    ///
    /// A line has no event data, so it is public.
    package static func write(_ line: String, level: String) {
        let levels: [String: OSLogType] = ["warning": .error, "debug": .debug]
        logger.log(level: levels[level] ?? .default, "\(line, privacy: .public)")
    }
    #else
    /// Writes a line to standard error.
    ///
    /// If the reader is too slow for a line, or has ended, the line is left out, so the engine never waits.
    package static func write(_ line: String, level: String) {
        // A ready pipe takes a line without blocking.
        var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLOUT) != 0 else { return }
        let line = "EventDelivery \(level): \(line)\n".utf8.prefix(maximumBytes)
        _ = OutputFile(descriptor: STDERR_FILENO).write(line)
    }

    /// The maximum size of a line, which a pipe takes as a whole.
    private static let maximumBytes = 4_096
    #endif
}
