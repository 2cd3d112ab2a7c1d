/// What each status means where a vendor documents nothing else: a table, as data.
///
/// A destination copies ``standard`` and changes the rows in which its vendor differs.
public struct ResponsePolicy: Sendable {
    /// What a status means.
    public enum Action: Sendable, Hashable {
        /// The batch has arrived.
        case delivered
        /// The fault passes; the batch is sent again.
        case retry
        /// At least one event is at fault; the batch is bisected.
        case refused
        /// The batch is bisected once; where both halves are refused alike, the lane pauses.
        case suspect
        /// The body is too large; the batch is split.
        case tooLarge
        /// Sending on is useless; the lane pauses and probes.
        case paused(PauseReason)
    }

    /// The statuses that acknowledge a batch.
    public var acknowledged: Set<Int>
    /// The rows for single statuses; they win over the row of the hundred.
    public var statuses: [Int: Action]
    /// The rows for the hundreds (4 for 400–499); a status without any row pauses the lane as intercepted.
    public var hundreds: [Int: Action]

    /// The table for receivers that keep to HTTP's own meaning of statuses.
    public static let standard = ResponsePolicy(
        acknowledged: [200, 201, 202, 204],
        statuses: [
            401: .paused(.credentials), 403: .paused(.credentials), 407: .paused(.credentials),
            404: .paused(.endpoint), 405: .paused(.endpoint), 410: .paused(.endpoint), 421: .paused(.endpoint),
            415: .paused(.protocolMismatch), 501: .paused(.protocolMismatch), 505: .paused(.protocolMismatch),
            400: .refused, 422: .refused,
            413: .tooLarge, 414: .tooLarge, 431: .tooLarge,
            408: .retry, 409: .retry, 425: .retry, 429: .retry,
            500: .retry, 502: .retry, 503: .retry, 504: .retry, 507: .retry, 509: .retry,
            506: .paused(.protocolMismatch), 508: .paused(.protocolMismatch),
            510: .paused(.protocolMismatch), 511: .paused(.intercepted),
        ],
        hundreds: [4: .suspect, 5: .retry]
    )

    /// Says what an answer means.
    ///
    /// An acknowledging status with an HTML body is a captive portal's page, not an acknowledgement.
    public func verdict(on response: HTTPResponse) -> BatchVerdict {
        if acknowledged.contains(response.status) {
            return ResponsePolicy.isPage(response) ? .paused(.intercepted) : .delivered
        }
        switch statuses[response.status] ?? hundreds[response.status / 100] ?? .paused(.intercepted) {
        case .delivered: return .delivered
        case .retry: return .retry(after: RetryAfter.wait(in: response))
        case .refused: return .refused("status \(response.status)")
        case .suspect: return .suspect("status \(response.status)")
        case .tooLarge: return .tooLarge
        case .paused(let reason): return .paused(reason)
        }
    }

    /// Whether an answer is a page for people, by its type or, as some portals state none or a wrong one, by its start.
    private static func isPage(_ response: HTTPResponse) -> Bool {
        let type = response.headers["content-type"]?.lowercased() ?? ""
        if type.contains("html") { return true }
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let start = String(decoding: response.body.drop(while: isSpace).prefix(9), as: UTF8.self).lowercased()
        return start.hasPrefix("<html") || start.hasPrefix("<!doctype")
    }
}

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
