import CLibrary
import CoreTracker
public import DeliveryLogging
import EventDelivery
public import EventTracking

extension DeliveryLog {
    /// The number of bytes that a pipe accepts without a wait after `poll` has reported space.
    private static let longestLine = 4_096

    /// Returns a log of lines of JSON, in the form of `writeLines(to:)`.
    ///
    /// If the reader of the file is too slow for a line, or has ended, the line is left out, so the engine never waits.
    /// A line of more than 4,096 bytes is left out too, because a pipe may have no space for all of it.
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
            let line = Array((entry.jsonLine(at: clock.wallTime()) + "\n").utf8)
            guard line.count <= DeliveryLog.longestLine, unsafe poll(&ready, 1, 0) == 1,
                ready.revents & Int16(POLLOUT) != 0
            else { return }
            _ = file.write(line)
        }
    }
}

extension DeliveryLog.Entry {
    /// The maximum number of lanes in a line.
    private static let listedLanes = 32

    /// Returns the line as JSON, without the line feed.
    ///
    /// Its members are `time` (RFC 3339), `level`, `lanes`, `code` and `message`. If there are more than 32 lanes,
    /// `more_lanes` is the number of the others.
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
        for lane in lanes.prefix(DeliveryLog.Entry.listedLanes) { json.string(lane.description) }
        json.endArray()
        if lanes.count > DeliveryLog.Entry.listedLanes {
            json.member("more_lanes", .int(lanes.count - DeliveryLog.Entry.listedLanes))
        }
        json.member("code", .string(code))
        json.member("message", .string(message))
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
