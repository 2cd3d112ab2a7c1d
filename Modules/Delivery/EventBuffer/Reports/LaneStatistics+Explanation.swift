extension LaneFailure {
    /// The cause of a missing response, with the receiver's host and port, and the remedy.
    fileprivate var connectionExplanation: String {
        let receiver = receiver.isEmpty ? "the receiver" : receiver
        switch code {
        case "host not found": return "the host of \(receiver) was not found: check its name, and the network"
        case "connection refused":
            return "\(receiver) refused the connection: check its port, and that it runs"
        case "connection lost": return "\(receiver) closed the connection before it responded: check the receiver"
        case "TLS handshake failed": return "the TLS handshake with \(receiver) failed: check that its port speaks TLS"
        case "certificate not trusted":
            return "the certificate of \(receiver) is not trusted: check it, the clock and the CA file"
        case "certificate for another host":
            return "the certificate of \(receiver) is for another host: check the address and the certificate"
        case "invalid response": return "\(receiver) did not respond in HTTP: check the address"
        case let code where code.hasPrefix("no response within"):
            let deadline = code.dropFirst("no response".count)
            return "\(receiver) did not respond\(deadline): check the receiver and the network"
        default: return "the connection to \(receiver) failed\(code.isEmpty ? "" : " (\(code))"): check the network"
        }
    }
}

extension LaneStatistics {
    /// The reason for which events wait, are quarantined or are lost, and the remedy, or `nil` if there is no problem.
    ///
    /// If there are several causes, it is the one that keeps the most events from being sent. The sentence can be
    /// logged: it contains nothing of the receiver's response.
    public var explanation: String? {
        if let storageFailure { return storageFailure.explanation }
        if let dropped = ledgerSinceOpening.dropped[.noVendorService], dropped > 0 {
            let events = LaneStatistics.events(dropped)
            return "\(events) dropped: the product's tracker has no vendor service; pass one to its initializer"
        }
        guard hasDestination else {
            return "the lane has no destination: pass one in the configuration when you open the engine"
        }
        switch consent {
        case .denied: return denialExplanation
        case .unknown where ledger.pending > 0:
            return "waits for consent\(aim): \(LaneStatistics.events(ledger.pending)) held; call setConsent(_:for:)"
        case .unknown, .granted: break
        }
        if !holdReasons.isEmpty, ledger.pending > 0 {
            let reasons = holdReasons.sorted().map(\.name).joined(separator: ", ")
            return "on hold (\(reasons)): \(LaneStatistics.events(ledger.pending)) kept; call release(_:reason:)"
        }
        if let pauseReason {
            if isPausedByEarlierRun { return history(of: pauseReason) }
            if let lastFailure, lastFailure.kind == .paused, lastFailure.status == nil {
                return lastFailure.connectionExplanation + next
            }
            return pauseReason.explanation + cause + next
        }
        return requestExplanation ?? failureExplanation ?? lossExplanation ?? scheduleExplanation
    }

    /// The time after which a request without a response is reported.
    package static let patience = Duration.seconds(5)

    /// The sentence about a request without a response, or `nil` while a response is still expected.
    private var requestExplanation: String? {
        guard let requestAge, requestAge >= LaneStatistics.patience else { return nil }
        let receiver = receiver.isEmpty ? "the receiver" : receiver
        return "\(receiver) has not responded for \(requestAge.inOneUnit): the engine waits, then tries again"
    }

    /// The sentence about a denial, or `nil` if no event was dropped for it since the engine was opened.
    private var denialExplanation: String? {
        let count = ledger.pending + ledgerSinceOpening.dropped[.consentDenied, default: 0]
        guard count > 0 else { return nil }
        return "consent\(aim) is denied: \(count) \(count == 1 ? "event" : "events") dropped"
    }

    /// Returns the sentence about a pause that this run has not confirmed.
    ///
    /// It reports the response of the earlier run.
    private func history(of pause: PauseReason) -> String {
        let since = pausedSince.map { " since \($0.minute(on: now))" } ?? ""
        let by = lastFailure.map { " by \($0.status.map { "status \($0)" } ?? $0.code)" } ?? ""
        return "paused\(since)\(by) in an earlier run: \(pause.cure)\(next)"
    }

    private var failureExplanation: String? {
        guard let lastFailure else {
            return nextAttempt.map { _ in "the last attempt failed: the engine tries again\(next)" }
        }
        switch (lastFailure.kind, lastFailure.status) {
        case (.clock, _):
            let ahead = Int64(lastFailure.code) ?? 0
            let apart = Duration.seconds(Int64(clamping: ahead.magnitude)).inOneUnit
            return "the device's clock is \(apart) \(ahead < 0 ? "behind" : "ahead of") the receiver's: correct it"
        case (.refused, _), (.tooLarge, _):
            return "the receiver refuses events\(cause): look at quarantined(), then retry or discard them"
        case (.lost, _):
            return "the receiver accepted events and lost them\(cause): lastFailure.code has the receiver's reason"
        case (.paused, _):
            return (PauseReason(rawValue: lastFailure.code)?.explanation ?? lastFailure.connectionExplanation) + cause
                + next
        case (.retry, nil): return "\(lastFailure.connectionExplanation); the engine tries again\(next)"
        case (.retry, 429): return "the receiver limits the request rate\(cause): the engine waits as requested\(next)"
        case (.retry, _?): return "the receiver is busy or fails\(cause): the engine tries again\(next)"
        }
    }

    private var lossExplanation: String? {
        if ledger.quarantined > 0 {
            let events = LaneStatistics.events(ledger.quarantined)
            return "\(events) in quarantine, refused by the receiver: look at quarantined(), then retry or discard"
        }
        if let (rule, count) = maximumDropped("rule.") {
            return "\(count) refused by the rule \(rule) before being stored: correct the tracked event"
        }
        if let (name, count) = maximumDropped(DropReason.middlewarePrefix) {
            return "\(count) dropped by the middleware \(name)"
        }
        return maximumDropped(DropReason.switchedOff.name).map { "\($1) dropped: switched off by the limits document" }
    }

    private var scheduleExplanation: String? {
        nextSending.map { "waits for its schedule: sends in \($0.inOneUnit), or when flush is called" }
    }

    /// Returns the most frequent reason with a prefix since the engine was opened, and the count of its events as a
    /// text.
    private func maximumDropped(_ prefix: String) -> (name: Substring, events: String)? {
        let reasons = ledgerSinceOpening.dropped.filter { $0.key.name.hasPrefix(prefix) && $0.value > 0 }
        return reasons.min { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
            .map { ($0.key.name.dropFirst(prefix.count), LaneStatistics.events($0.value)) }
    }

    /// The purpose, as it appears in the sentences about consent.
    private var aim: String { purpose.map { " to \($0.name)" } ?? "" }

    private static func events(_ count: Int) -> String { count == 1 ? "1 event is" : "\(count) events are" }

    private var cause: String {
        lastFailure?.status.map { " (status \($0))" } ?? ""
    }

    private var next: String {
        nextAttempt.map { $0 >= .seconds(1) ? ", next in \($0.inOneUnit)" : "" } ?? ""
    }
}

extension OutboxError {
    /// The cause and the consequence.
    fileprivate var explanation: String {
        switch self {
        case .full: "the disk is full: events are kept in memory until there is space again"
        case .suspended: "the storage is suspended: events are kept in memory; resume it"
        case .busy, .directoryInUse: "another process uses the queue: events are kept in memory until it has ended"
        default: "the storage cannot be used (\(self)): events are kept in memory"
        }
    }
}

extension PauseReason {
    /// The cause and the remedy.
    fileprivate var explanation: String {
        switch self {
        case .credentials: "the receiver refuses the credentials: correct them and call resume()"
        case .endpoint: "there is no such endpoint: correct the address and call resume()"
        case .missingTable: "the receiver has no such table: create it or correct its name, and call resume()"
        case .missingColumn: "the receiver's table lacks a column: add it and call resume()"
        case .intercepted: "another server responded, such as a captive portal: sign in to the network, or wait"
        case .trust: "the receiver's certificate is not trusted: check it, the clock and the CA file"
        case .protocolMismatch: "the receiver refuses every event: check the format or the table's columns"
        }
    }
}

extension PauseReason {
    /// The remedy for a pause of an earlier run.
    ///
    /// If the address or the credentials have changed, `resume()` is not necessary.
    fileprivate var cure: String {
        switch self {
        case .credentials: "correct the credentials, or call resume() if they are right"
        case .endpoint: "correct the address, or call resume() if it is right"
        case .missingTable: "create the table or correct its name, and call resume()"
        case .missingColumn: "add the column and call resume()"
        case .intercepted: "sign in to the network, or wait"
        case .trust: "check the receiver's certificate, the clock and the CA file"
        case .protocolMismatch: "check the format that the receiver expects, and call resume()"
        }
    }
}

extension Timestamp {
    /// Returns the minute in UTC, such as `14:02 UTC`, preceded by the date if it differs from that of `now`.
    fileprivate func minute(on now: Timestamp?) -> String {
        let (date, time) = (rfc3339.prefix(10), rfc3339.dropFirst(11).prefix(5))
        return now?.rfc3339.prefix(10) == date ? "\(time) UTC" : "\(date) \(time) UTC"
    }
}

extension Duration {
    /// The duration in a suitable unit, rounded down: `40 s`, `12 min`, `5 h` or `3 days`.
    package var inOneUnit: String {
        let seconds = wholeSeconds
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
