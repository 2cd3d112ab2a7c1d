// The declarations of swift-log 1.14.0 that a log of the engine uses. This logger writes nothing.

public struct Logger: Sendable {
    public enum Level: String, Codable, CaseIterable, Sendable {
        case trace
        case debug
        case info
        case notice
        case warning
        case error
        case critical
    }

    public struct Message: ExpressibleByStringInterpolation, Sendable {
        public init(stringLiteral value: String) {}
    }

    public init(label: String) {}

    public func log(level: Logger.Level, _ message: @autoclosure () -> Logger.Message) {}
}
