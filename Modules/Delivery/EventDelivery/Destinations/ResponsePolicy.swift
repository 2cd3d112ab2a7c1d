public import EventTracking

/// A table of actions by HTTP status, for vendors that document no other meaning.
///
/// A destination copies ``standard`` and changes the rows in which its vendor differs:
///
/// ```swift
/// var policy = ResponsePolicy.standard
/// policy.acknowledged = Set(200...299)
/// policy.statuses[400] = .suspect
/// policy.statuses[422] = .suspect
/// ```
public struct ResponsePolicy: Sendable {
    /// The action for a status.
    public enum Action: Sendable, Hashable {
        /// The batch was delivered.
        case delivered
        /// The fault is temporary. The batch is sent again.
        case retry
        /// At least one event is invalid. The batch is bisected.
        case refused
        /// The receiver states no reason. The batch is sent again with the back-off, then bisected.
        case suspect
        /// The body is too large. The batch is split.
        case tooLarge
        /// Further requests would fail too. The lane pauses and probes.
        case paused(PauseReason)
    }

    /// The statuses that acknowledge a batch.
    public var acknowledged: Set<Int>
    /// The actions for single statuses, which override ``statusClasses``.
    public var statuses: [Int: Action]
    /// The actions for status classes, such as 4 for 400–499.
    ///
    /// A status without any action pauses the lane as intercepted.
    public var statusClasses: [Int: Action]

    /// The table for receivers that use statuses as HTTP defines them.
    public static let standard = ResponsePolicy(
        acknowledged: [200, 201, 202, 204],
        statuses: [
            401: .paused(.credentials), 403: .paused(.credentials), 407: .paused(.credentials),
            404: .paused(.endpoint), 405: .paused(.endpoint), 410: .paused(.endpoint), 421: .paused(.endpoint),
            415: .paused(.protocolMismatch), 501: .paused(.protocolMismatch), 505: .paused(.protocolMismatch),
            400: .refused, 422: .refused,
            413: .tooLarge, 414: .tooLarge, 431: .tooLarge,
            408: .retry, 409: .retry, 425: .retry, 429: .retry, 499: .retry,
            500: .retry, 502: .retry, 503: .retry, 504: .retry, 507: .retry, 509: .retry,
            506: .paused(.protocolMismatch), 508: .paused(.protocolMismatch),
            510: .paused(.protocolMismatch), 511: .paused(.intercepted),
        ],
        statusClasses: [4: .suspect, 5: .retry]
    )

    /// Interprets a response.
    ///
    /// An acknowledging status with an HTML body is the page of a captive portal, not an acknowledgement. A blank body
    /// never counts as a page.
    ///
    /// - Parameter response: The receiver's response.
    /// - Returns: The result for the batch.
    public func result(for response: HTTPResponse) -> BatchResult {
        if acknowledged.contains(response.status) {
            return ResponsePolicy.isPage(response) ? .paused(.intercepted) : .delivered
        }
        switch statuses[response.status] ?? statusClasses[response.status / 100] ?? .paused(.intercepted) {
        case .delivered: return .delivered
        case .retry: return .retry(after: RetryAfter.wait(in: response))
        case .refused: return .refused("status \(response.status)")
        case .suspect: return .suspect("status \(response.status)")
        case .tooLarge: return .tooLarge
        case .paused(let reason): return .paused(reason)
        }
    }

    /// Whether a response is an HTML page.
    ///
    /// Some portals state no type or a wrong one, so the start of the body counts too, after a byte order mark.
    private static func isPage(_ response: HTTPResponse) -> Bool {
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        let text = response.body.drop(while: isBlank)
        // Web servers state HTML for a body without a byte. A body that was not read may be a page.
        if text.isEmpty, response.extent == .whole { return false }
        if response.headers["content-type"]?.lowercased().contains("html") == true { return true }
        let start = String(decoding: text.prefix(9), as: UTF8.self).lowercased()
        return start.hasPrefix("<html") || start.hasPrefix("<!doctype")
    }
}
