import Foundation

/// Reads the `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date corrected by the answer's own `Date`.
package enum RetryAfter {
    /// The longest wait that a receiver can impose.
    package static let maximum: Duration = .seconds(24 * 60 * 60)

    /// The wait that an answer asks for, clamped to 0…24 h; `nil` when it asks for none or for nonsense.
    package static func wait(in response: HTTPResponse) -> Duration? {
        guard let text = response.headers["retry-after"]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int64(text) ?? .max, maximum.components.seconds))
        }
        guard let date = seconds(ofDate: text),
            let now = response.headers["date"].flatMap(seconds(ofDate:))
        else { return nil }
        return .seconds(max(0, min(date.subtractingReportingOverflow(now).partialValue, maximum.components.seconds)))
    }

    /// The wait until the epoch second that a header names, clamped to 0…24 h; `nil` without it or the answer's `Date`.
    ///
    /// It is measured from the receiver's own `Date`, so that a wrong clock on this device does not matter.
    package static func wait(in response: HTTPResponse, untilEpochSecondOf header: String) -> Duration? {
        guard let reset = response.headers[header].flatMap({ Int64($0.trimmingCharacters(in: .whitespaces)) }),
            let now = response.headers["date"].flatMap(seconds(ofDate:))
        else { return nil }
        let (seconds, overflow) = reset.subtractingReportingOverflow(now)
        return overflow ? nil : .seconds(max(0, min(seconds, maximum.components.seconds)))
    }

    private static func seconds(ofDate text: String) -> Int64? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text).map { Int64($0.timeIntervalSince1970) }
    }
}
