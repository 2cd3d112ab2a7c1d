package import EventTracking

/// A parser for the `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date, compared with the response's `Date`.
///
/// If a response has no `Date`, ``dated(_:at:)`` adds the time of its arrival.
package enum RetryAfter {
    /// The longest wait a receiver can impose.
    package static let maximum: Duration = .seconds(24 * 60 * 60)

    /// Returns a response with the time of its arrival as the date if it has none (RFC 9110 §6.6.1).
    package static func dated(_ response: HTTPResponse, at arrival: Timestamp) -> HTTPResponse {
        guard response.headers["date"] == nil else { return response }
        var response = response
        response.headers["date"] = arrival.httpDate
        return response
    }

    /// Returns the wait requested by a response.
    ///
    /// - Parameters:
    ///   - response: The receiver's response.
    ///   - header: The name of the header.
    /// - Returns: The wait, clamped to 0…24 h, or `nil` if there is none or it is malformed.
    package static func wait(in response: HTTPResponse, header: String = "retry-after") -> Duration? {
        guard let text = response.headers[header].map(trimmed) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int(text).map(Int64.init) ?? .max, maximum.components.seconds))
        }
        return Timestamp(httpDate: text).flatMap { wait(in: response, untilSecond: $0.seconds) }
    }

    /// Returns the wait until the epoch second in a header.
    ///
    /// It is measured from the receiver's `Date`, so a wrong clock on this device does not matter.
    ///
    /// - Parameters:
    ///   - response: The receiver's response.
    ///   - header: The name of the header.
    /// - Returns: The wait, clamped to 0…24 h, or `nil` if the header or the response's `Date` is missing.
    package static func wait(in response: HTTPResponse, untilEpochSecondOf header: String) -> Duration? {
        response.headers[header].flatMap { Int64(trimmed($0)) }.flatMap { wait(in: response, untilSecond: $0) }
    }

    private static func wait(in response: HTTPResponse, untilSecond second: Int64) -> Duration? {
        guard let now = response.headers["date"].flatMap({ Timestamp(httpDate: trimmed($0)) }) else { return nil }
        let (seconds, overflow) = second.subtractingReportingOverflow(now.seconds)
        return overflow ? nil : .seconds(max(0, min(seconds, maximum.components.seconds)))
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
