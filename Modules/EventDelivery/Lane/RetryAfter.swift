/// Reads the `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date corrected by the answer's own `Date`.
///
/// The engine gives an answer that has no `Date` the time of its arrival before a destination sees it.
package enum RetryAfter {
    /// The longest wait that a receiver can impose.
    package static let maximum: Duration = .seconds(24 * 60 * 60)

    /// The wait that an answer asks for, clamped to 0…24 h; `nil` when it asks for none or for nonsense.
    package static func wait(in response: HTTPResponse) -> Duration? {
        guard let text = response.headers["retry-after"].map(trimmed) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(text) ?? .max, maximum.components.seconds))
        }
        return Timestamp(httpDate: text).flatMap { wait(in: response, untilSecond: $0.seconds) }
    }

    /// The wait until the epoch second that a header names, clamped to 0…24 h; `nil` without it or the answer's `Date`.
    ///
    /// It is measured from the receiver's own `Date`, so that a wrong clock on this device does not matter.
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
