extension LaneFailure {
    /// Returns the explanation of a failure that has not paused the lane.
    ///
    /// - Parameter next: The time until the next attempt, as a text.
    func explanation(nextAttempt next: String) -> Explanation {
        switch kind {
        case .clock:
            let ahead = Int64(code) ?? 0
            let apart = Duration.seconds(Int64(clamping: ahead.magnitude)).inOneUnit
            return Explanation(
                "clock",
                "the device's clock is \(apart) \(ahead < 0 ? "behind" : "ahead of") the receiver's",
                cure: "correct it"
            )
        case .refused:
            return Explanation(
                "refused",
                "the receiver refuses events\(statusText)",
                cure: "look at quarantine.events(), then retry or discard them"
            )
        case .tooLarge:
            return Explanation(
                "too_large",
                "the receiver refuses the size of the body\(statusText)",
                cure: "the engine sends smaller batches; quarantine.events() has each event that is too large alone"
            )
        case .dropped:
            return Explanation(
                "dropped",
                "the receiver accepted events and lost them\(statusText)",
                cure: "lastFailure.code has the receiver's reason"
            )
        case .paused:
            guard let reason = PauseReason(rawValue: code) else { return noResponse.adding(next) }
            return reason.explanation(after: self).adding(next)
        case .retry:
            guard let status else { return noResponse.adding("; the engine tries again\(next)") }
            if status == 429 {
                return Explanation(
                    "rate_limited",
                    "the receiver limits the request rate\(statusText)",
                    cure: "the engine waits as requested\(next)"
                )
            }
            let reason = PauseReason(rawValue: code)
            return Explanation(
                reason == nil ? "receiver_fails" : "retried.\(code)",
                reason?.explanation(after: self).cause ?? "the receiver is busy or fails\(statusText)",
                cure: "the engine tries again\(next)"
            )
        }
    }

    /// The status in parentheses, with a space before it.
    var statusText: String { status.map { " (status \($0))" } ?? "" }

    /// The explanation of a missing response, with the receiver's host and port.
    ///
    /// The codes are the transport's errors.
    var noResponse: Explanation {
        let receiver = receiver.isEmpty ? "the receiver" : receiver
        return switch code {
        case "host not found":
            Explanation(
                "host_not_found",
                "the host of \(receiver) was not found",
                cure: "check its name, and the network"
            )
        case "connection refused":
            Explanation(
                "connection_refused",
                "\(receiver) refused the connection",
                cure: "check its port, and that it runs"
            )
        case "connection lost":
            Explanation(
                "connection_lost",
                "\(receiver) closed the connection before it responded",
                cure: "check the receiver"
            )
        case "TLS handshake failed":
            Explanation(
                "handshake_failed",
                "the TLS handshake with \(receiver) failed",
                cure: "check that its port speaks TLS"
            )
        case "certificate not trusted":
            Explanation(
                "untrusted",
                "the certificate of \(receiver) is not trusted",
                cure: "check it, the clock and the CA file"
            )
        case "certificate for another host":
            Explanation(
                "host_mismatch",
                "the certificate of \(receiver) is for another host",
                cure: "check the address and the certificate"
            )
        case "invalid response":
            Explanation(
                "invalid_response",
                "\(receiver) did not respond in HTTP, or with a head of more than 64 KiB",
                cure: "check the address"
            )
        case _ where code.hasPrefix("no response within"):
            Explanation(
                "no_response",
                "\(receiver) did not respond\(code.dropFirst("no response".count))",
                cure: "check the receiver and the network"
            )
        default:
            Explanation(
                "connection_failed",
                "the connection to \(receiver) failed\(code.isEmpty ? "" : " (\(code))")",
                cure: "check the network"
            )
        }
    }
}
