public import CoreTracker
package import EventTracking

/// The log of an engine: its detail, and its output.
///
/// The log has one line for each cause of waiting or lost events, when the cause begins and when it ends. A cause begins
/// at most once in a minute. A line names the lanes, the cause and the cure. It contains no parameter of an event
/// and nothing of a receiver's response.
///
/// ```swift
/// configuration.log = .custom { entry in
///     logger.log(level: entry.level == .warning ? .warning : .info, "\(entry)")
/// }
/// ```
public struct DeliveryLog: Sendable {
    /// The detail of a log.
    public enum Detail: String, Sendable, Hashable {
        /// The causes of waiting and lost events.
        case warnings
        /// The same, and a line for each event with its name, and for each request.
        case debug
    }

    /// A line of a log.
    public struct Entry: Sendable, Equatable {
        /// The importance of a line.
        public enum Level: String, Sendable, Hashable {
            /// Events wait or are lost, and this is not intended.
            case warning
            /// A cause has ended, or the app, the user or the configuration intends the loss.
            case notice
            /// An event or a request.
            case debug
        }

        /// The importance of the line.
        public let level: Level
        /// The lanes with this cause, or an empty array if the cause belongs to no lane.
        public let lanes: [LaneID]
        /// The stable name of the cause, such as `storage.full` or `dropped.buffer_full`.
        public let code: String
        /// The cause and the cure in one line.
        public let message: String

        package init(_ level: Level, _ lanes: [LaneID], code: String, _ message: String) {
            (self.level, self.lanes, self.code, self.message) = (level, lanes, code, message)
        }
    }

    /// The default: ``warnings``.
    ///
    /// The environment variable `EVENT_DELIVERY_LOG` selects another detail, if it is `off` or `debug`. An engine with
    /// another clock than `SystemClock` and an Xcode preview log nothing.
    public static let standard = DeliveryLog(choice: .standard, output: DeliveryLog.writeToSystem)
    /// No log.
    public static let off = DeliveryLog(choice: .off) { _ in }
    /// The causes of waiting and lost events.
    ///
    /// They are written to the unified logging system on Apple's platforms, and to standard error elsewhere.
    public static let warnings = DeliveryLog(choice: .detail(.warnings), output: DeliveryLog.writeToSystem)
    /// The same as ``warnings``, and a line for each event with its name, and for each request.
    public static let debug = DeliveryLog(choice: .detail(.debug), output: DeliveryLog.writeToSystem)

    /// Returns a log that calls a closure for each line.
    ///
    /// - Parameters:
    ///   - detail: The detail of the log.
    ///   - write: The output. The engine calls it in a task of its own, one line at a time, so no call of the app and no
    ///     event waits for it. Only `close(timeout:)` waits for the last lines.
    /// - Returns: The log.
    public static func custom(
        _ detail: Detail = .warnings,
        _ write: @escaping @Sendable (Entry) -> Void
    ) -> DeliveryLog {
        DeliveryLog(choice: .detail(detail), output: write)
    }

    /// The detail chosen by the app.
    private enum Choice: Sendable {
        case standard
        case off
        case detail(Detail)
    }

    private let choice: Choice
    /// The output of a line.
    let output: @Sendable (Entry) -> Void

    private init(choice: Choice, output: @escaping @Sendable (Entry) -> Void) {
        (self.choice, self.output) = (choice, output)
    }

    /// Returns the detail of the log in an engine with a clock, or `nil` if it is off.
    func detail(with clock: any DeliveryClock, environment: (String) -> String? = SystemLog.environment) -> Detail? {
        switch choice {
        case .off: return nil
        case .detail(let detail): return detail
        case .standard:
            let chosen = SystemLog.choice(with: clock, environment: environment)
            return chosen == "off" ? nil : chosen.flatMap(Detail.init) ?? .warnings
        }
    }

    /// Returns the observer that writes the log of an engine, or `nil` if the log is off.
    ///
    /// - Parameter clock: The engine's clock.
    package func observer(with clock: any DeliveryClock) -> (any EngineObserver)? {
        detail(with: clock).map { DeliveryLogger(self, isDetailed: $0 == .debug, clock: clock) }
    }

    private static func writeToSystem(_ entry: Entry) { SystemLog.write("\(entry)", level: entry.level.rawValue) }
}

extension DeliveryLog.Entry: CustomStringConvertible {
    /// The maximum number of lanes in the description.
    private static let maximumLanes = 5

    /// The line without its level, such as `DL/firebase: 127.0.0.1:9 refused the connection: check its port`.
    ///
    /// Control characters are replaced by spaces.
    public var description: String {
        var names = lanes.prefix(DeliveryLog.Entry.maximumLanes).map(\.description)
        if lanes.count > names.count { names.append("\(lanes.count - names.count) more") }
        let text = names.isEmpty ? message : "\(names.joined(separator: ", ")): \(message)"
        let visible = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(visible))
    }
}
