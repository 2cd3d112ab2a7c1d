import CLibrary
import CoreTracker
public import DeliveryLogging
import EventDelivery
public import EventTracking

extension DeliveryLog {
    /// Returns a log of lines of JSON, in the form of `writeLines(to:)`.
    ///
    /// If the reader of the file is too slow for a line, or has ended, the line is left out, so the engine never waits.
    ///
    /// ```swift
    /// configuration.log = .jsonLines()
    /// ```
    ///
    /// - Parameters:
    ///   - detail: The detail of the log.
    ///   - descriptor: The descriptor of the file, which is standard error by default.
    /// - Returns: The log.
    public static func jsonLines(_ detail: Detail = .warnings, to descriptor: Int32 = 2) -> DeliveryLog {
        let (clock, file) = (SystemClock(), OutputFile(descriptor: descriptor))
        return .custom(detail) { entry in
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&ready, 1, 0) == 1, ready.revents & Int16(POLLOUT) != 0 else { return }
            _ = file.write(Array((entry.jsonLine(at: clock.wallTime()) + "\n").utf8))
        }
    }
}

extension DeliveryLog.Entry {
    /// Returns the line as JSON, without the line feed.
    ///
    /// Its members are `time` (RFC 3339), `level`, `lanes`, `code` and `message`.
    ///
    /// - Parameter time: The time of the line.
    /// - Returns: One line of JSON.
    public func jsonLine(at time: Timestamp) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", .string(time.rfc3339))
        json.member("level", .string(level.rawValue))
        json.key("lanes")
        json.beginArray()
        for lane in lanes { json.string(lane.description) }
        json.endArray()
        json.member("code", .string(code))
        json.member("message", .string(message))
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
