public import CoreTracker

/// The state of a lane.
public struct LaneStatistics: Sendable, Hashable {
    /// The lane's name.
    public let id: LaneID
    /// The lane's ledger since its outbox was created.
    public let ledger: LaneLedger
    /// The lane's ledger since this engine was opened.
    public let ledgerSinceOpening: LaneLedger
    /// The number of events of earlier runs that were pending when this engine was opened.
    public let pendingAtOpen: Int
    /// The time since the oldest queued event was stored, or `nil` if none is queued.
    ///
    /// Held events do not count.
    public let oldestQueuedAge: Duration?
    /// The time at which the receiver last acknowledged a batch, if any.
    public let lastSuccess: Timestamp?
    /// The reason for which the lane only probes the receiver, or `nil` if the lane is not paused.
    public let pauseReason: PauseReason?
    /// The time at which the pause began, in this run or an earlier one, or `nil` if the lane is not paused.
    public let pausedSince: Timestamp?
    /// The reasons for which the app holds the lane, or an empty set.
    public let holdReasons: Set<HoldReason>
    /// Whether an earlier run has paused the lane and this run has no response yet.
    public let isPausedByEarlierRun: Bool
    /// The purpose of the lane's events, or `nil` if no destination has set one.
    public let purpose: ConsentPurpose?
    /// The user's decision about ``purpose``.
    public let consent: Consent
    /// Whether this run has a destination for the lane.
    public let hasDestination: Bool
    /// The number of pending events that are held until the user consents.
    public let heldEvents: Int
    /// The time since the oldest request in flight started, or `nil` if there is none.
    public let requestAge: Duration?
    /// The time until the lane tries again, or `nil` if it does not wait.
    public let nextAttempt: Duration?
    /// The last failure, in this run or an earlier one.
    ///
    /// It is `nil` if the receiver has acknowledged a batch since then. A clock failure remains while the device's
    /// clock and the receiver's differ.
    public let lastFailure: LaneFailure?
    /// The reason for which the storage is unavailable for now, or `nil` if it is available.
    public let storageFailure: OutboxError?
    /// The requests that have ended since this engine was opened.
    public let requests: RequestStatistics
    /// The time of the statistics, or `nil` if the engine was not open.
    private let now: Timestamp?
    /// The host and port of the oldest request in flight, or an empty string if there is none.
    private let receiver: String

    package init(
        id: LaneID,
        ledger: LaneLedger,
        opening: LaneLedger = LaneLedger(),
        oldestQueuedAge: Duration? = nil,
        lastSuccess: Timestamp? = nil,
        purpose: String = "",
        status: LaneStatus = LaneStatus(),
        nextAttempt: Duration? = nil,
        lastFailure: LaneFailure? = nil,
        request: (age: Duration, receiver: String)? = nil,
        requests: RequestStatistics = RequestStatistics(),
        storageFailure: OutboxError? = nil,
        now: Timestamp? = nil
    ) {
        self.id = id
        self.ledger = ledger
        ledgerSinceOpening = ledger.since(opening)
        pendingAtOpen = opening.pending
        self.oldestQueuedAge = oldestQueuedAge
        self.lastSuccess = lastSuccess
        pauseReason = status.pause?.reason
        pausedSince = status.pause?.since
        isPausedByEarlierRun = status.pause?.isOfEarlierRun ?? false
        holdReasons = status.holds
        self.purpose = purpose.isEmpty ? nil : ConsentPurpose(purpose)
        consent = status.consent
        hasDestination = status.hasDestination
        heldEvents = status.heldEvents
        requestAge = request?.age
        receiver = request?.receiver ?? ""
        self.requests = requests
        self.nextAttempt = nextAttempt
        self.lastFailure = lastFailure
        self.storageFailure = storageFailure
        self.now = now
    }
}

/// The number and the duration of a lane's requests.
///
/// Cancelled requests do not count.
public struct RequestStatistics: Sendable, Hashable {
    /// The number of requests.
    public private(set) var count = 0
    /// The number of requests without a response, or with one that refuses or postpones the whole batch.
    public private(set) var failed = 0
    /// The sum of the times from the start of each request to its response or failure.
    public private(set) var duration: Duration = .zero

    /// Creates the statistics of a lane without requests.
    public init() {}

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - duration: The time from its start to its response or failure.
    ///   - hasFailed: Whether there is no response, or one that refuses or postpones the whole batch.
    package mutating func record(_ duration: Duration, hasFailed: Bool) {
        count += 1
        if hasFailed { failed += 1 }
        self.duration += duration
    }
}

/// The last failure of a lane, which is kept across restarts.
///
/// ``code`` and ``response`` may contain text of the receiver, which may quote an event. No description includes them.
public struct LaneFailure: Sendable, Hashable {
    /// The kind of a failure.
    public enum Kind: String, Sendable, Hashable {
        /// A temporary failure.
        ///
        /// The batch is sent again.
        case retry
        /// Requests fail until the cause is fixed.
        ///
        /// The code is the reason of the pause.
        case paused
        /// The receiver refused events.
        ///
        /// The code is the receiver's reason.
        case refused
        /// The receiver accepted events and lost them.
        ///
        /// The code is the receiver's reason.
        case lost
        /// The body exceeded the receiver's limit.
        case tooLarge = "too_large"
        /// The clocks of the device and the receiver differ by more than an hour.
        ///
        /// The code is the number of seconds by which the device's clock is ahead.
        case clock
    }

    /// The time of the failure.
    public let time: Timestamp
    /// The kind of the failure.
    public let kind: Kind
    /// The status of the receiver's response, if any.
    public let status: Int?
    /// The receiver's code or reason, or the reason for a missing response, such as `connection refused`.
    ///
    /// It is empty if there is none.
    public let code: String
    /// The start of the receiver's response: at most 512 bytes, without control characters.
    public let response: String
    /// The receiver's host and port, such as `collector.example:443`, or an empty string if they are unknown.
    public let receiver: String

    package init(time: Timestamp, kind: Kind, status: Int?, code: String, response: String, receiver: String) {
        self.time = time
        self.kind = kind
        self.status = status
        self.code = code
        self.response = response
        self.receiver = receiver
    }
}

extension LaneFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { status.map { "\(kind.rawValue), status \($0)" } ?? kind.rawValue }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["failure": description]) }
}

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
        return requestExplanation ?? failureExplanation ?? lossExplanation
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
        let seconds = components.seconds
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
