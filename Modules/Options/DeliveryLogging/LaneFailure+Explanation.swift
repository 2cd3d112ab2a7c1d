import CoreTracker
package import EventTracking

extension LaneFailure {
    /// Returns the explanation of a failure that has not paused the lane.
    ///
    /// - Parameter next: The time until the next attempt, as a text.
    func explanation(nextAttempt next: String) -> Explanation {
        let values = ["status": statusText, "next": next]
        switch kind {
        case .clock:
            let ahead = Int64(code) ?? 0
            let apart = Duration.seconds(Int64(clamping: ahead.magnitude)).inOneUnit
            return Explanation("clock", ["apart": "\(apart) \(ahead < 0 ? "behind" : "ahead of")"])
        case .refused, .tooLarge, .warned: return Explanation(kind.rawValue, values)
        case .dropped: return Explanation("dropped", row: "lost", values)
        case .paused:
            return PauseReason(rawValue: code)?.explanation(after: self, nextAttempt: next) ?? noResponse
        case .retry where status == nil:
            var failure = noResponse
            failure.cure += "; the engine tries again\(next)"
            return failure
        case .retry:
            guard status != 429 else { return Explanation("rate_limited", values) }
            var failure = Explanation("receiver_fails", values)
            guard let reason = PauseReason(rawValue: code) else { return failure }
            (failure.name, failure.cause) = ("retried.\(code)", reason.explanation(after: self).cause)
            return failure
        }
    }

    /// The status in parentheses, with a space before it.
    var statusText: String { status.map { " (status \($0))" } ?? "" }

    /// The explanation of a missing response, with the receiver's host and port.
    ///
    /// The codes are the transport's errors.
    package var noResponse: Explanation {
        let silence = "no response"
        let isSilent = code.hasPrefix("\(silence) within")
        let detail = isSilent ? "\(code.dropFirst(silence.count))" : code.isEmpty ? "" : " (\(code))"
        let other = code.hasPrefix("proxy ") ? "proxy" : "connection_failed"
        return Explanation(
            isSilent ? "no_response" : LaneFailure.names[code] ?? other,
            ["receiver": receiver.isEmpty ? "the receiver" : receiver, "detail": detail, "code": code]
        )
    }

    private static let names = [
        "host not found": "host_not_found", "connection refused": "connection_refused",
        "connection lost": "connection_lost", "TLS handshake failed": "handshake_failed",
        "certificate not trusted": "untrusted", "certificate for another host": "host_mismatch",
        "CA file not readable": "authorities", "client certificate not usable": "certificate",
        "invalid response": "invalid_response",
    ]
}

extension PauseReason {
    /// Returns the explanation of a pause.
    ///
    /// If the address or the credentials have changed since, `resume()` is not necessary.
    ///
    /// - Parameters:
    ///   - failure: The failure behind the pause, if it is known.
    ///   - next: The time until the next attempt, as a text that is empty if it is near.
    func explanation(after failure: LaneFailure?, nextAttempt next: String = "") -> Explanation {
        var explanation = explanation(after: failure)
        if !next.isEmpty { explanation.cure += "; the engine tries again\(next)" }
        return explanation
    }

    private func explanation(after failure: LaneFailure?) -> Explanation {
        if let failure, failure.kind == .paused, failure.status == nil { return failure.noResponse }
        let detail =
            switch self {
            case .endpoint: [400, 422].contains(failure?.status) ? ".id" : ""
            case .protocolMismatch: PauseReason.mismatch(failure)
            case .credentials: failure?.status == 407 ? ".proxy" : ""
            case .missingTable, .missingColumn, .intercepted, .trust: ""
            }
        return Explanation("paused.\(rawValue)\(detail)", ["status": failure?.statusText ?? ""])
    }

    /// Returns the suffix of the sentence about a receiver that refuses each event.
    private static func mismatch(_ failure: LaneFailure?) -> String {
        guard failure?.kind != .dropped else { return ".dropped" }
        switch failure?.status {
        case 411: return ".length"
        case 415: return ".format"
        case 431: return ".headers"
        case 501, 505: return ".version"
        case 506, 508, 510: return ".receiver"
        // A destination that pauses for such a status by itself has read the cause in the response.
        case let status? where status >= 500 && failure?.kind != .paused: return ".fails"
        case 413: return ".size"
        case let status? where (400..<500).contains(status) && ![400, 404, 422].contains(status): return ".unusual"
        default: return ".refused"
        }
    }
}
