public import CoreTracker

/// How a lane is doing.
public struct LaneStatistics: Sendable, Hashable {
    /// The lane's name.
    public let id: LaneID
    /// Its ledger since its outbox was made.
    public let ledger: LaneLedger
    /// Its ledger since this engine was opened.
    public let ledgerSinceOpening: LaneLedger
    /// Events that an earlier run had left pending when this engine was opened.
    public let carriedOver: Int
    /// The time since the oldest queued event was stored; `nil` if none is queued.
    ///
    /// Held events do not count.
    public let oldestQueuedAge: Duration?
    /// When the receiver last acknowledged a batch; `nil` when it never has.
    public let lastSuccess: Timestamp?
    /// Why the lane only probes; `nil` when it does not.
    public let pauseReason: PauseReason?
    /// When the pause began, in this run or in an earlier one; `nil` if the lane is not paused.
    public let pausedSince: Timestamp?
    /// Whether an earlier run has paused the lane, and this run has no answer from the receiver yet.
    public let isPausedByEarlierRun: Bool
    /// The purpose that the lane's events need consent for; `nil` if no destination has named one.
    public let purpose: ConsentPurpose?
    /// The user's decision about ``purpose``.
    public let consent: Consent
    /// Whether this run has a destination for the lane.
    public let isServed: Bool
    /// Pending events that are held until the user consents.
    public let heldEvents: Int
    /// The time since the oldest request under way was begun; `nil` if none is under way.
    public let requestAge: Duration?
    /// How long it takes until the lane tries again; `nil` when it does not wait.
    public let nextAttempt: Duration?
    /// What went wrong last, also in an earlier run; `nil` once the receiver has acknowledged a batch since, unless its
    /// clock and the device's disagree.
    public let lastFailure: LaneFailure?
    /// Why the storage takes nothing for now; `nil` when it does.
    public let storageFailure: OutboxError?
    /// When the statistics were made; `nil` before the engine is opened.
    private let now: Timestamp?
    /// The host and port that the oldest request under way goes to; empty if none is under way.
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
        storageFailure: OutboxError? = nil,
        now: Timestamp? = nil
    ) {
        self.id = id
        self.ledger = ledger
        ledgerSinceOpening = ledger.since(opening)
        carriedOver = opening.pending
        self.oldestQueuedAge = oldestQueuedAge
        self.lastSuccess = lastSuccess
        pauseReason = status.pause
        pausedSince = status.pause == nil ? nil : status.pausedSince
        isPausedByEarlierRun = status.pause != nil && status.isPausedByEarlierRun
        self.purpose = purpose.isEmpty ? nil : ConsentPurpose(purpose)
        consent = status.consent
        isServed = status.isServed
        heldEvents = status.heldEvents
        requestAge = request?.age
        receiver = request?.receiver ?? ""
        self.nextAttempt = nextAttempt
        self.lastFailure = lastFailure
        self.storageFailure = storageFailure
        self.now = now
    }
}

/// What went wrong last in a lane, kept across restarts.
///
/// ``code`` and ``answer`` may quote the receiver, and the receiver an event, so that no description shows them.
public struct LaneFailure: Sendable, Hashable {
    /// What the engine made of it.
    public enum Kind: String, Sendable, Hashable {
        /// A passing fault: the batch is sent again.
        case retry
        /// Sending is useless until the cause is gone; the code is the pause's reason.
        case paused
        /// The receiver refused events; the code is its reason.
        case refused
        /// The receiver took events and lost them; the code is its reason.
        case lost
        /// The body was larger than the receiver takes.
        case tooLarge = "too_large"
        /// The device's clock is more than an hour from the receiver's; the code is how many seconds it is ahead.
        case clock
    }

    /// When it went wrong.
    public let time: Timestamp
    /// What the engine made of it.
    public let kind: Kind
    /// The status of the receiver's answer; `nil` without one.
    public let status: Int?
    /// The receiver's own code or reason, or the reason for which there is no response, such as `connection refused`;
    /// empty without one.
    public let code: String
    /// The start of the receiver's answer: at most 512 bytes, control characters removed.
    public let answer: String
    /// The receiver's host and port, such as `collector.example:443`; empty if they are unknown.
    public let receiver: String

    package init(time: Timestamp, kind: Kind, status: Int?, code: String, answer: String, receiver: String) {
        self.time = time
        self.kind = kind
        self.status = status
        self.code = code
        self.answer = answer
        self.receiver = receiver
    }
}

extension LaneFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { status.map { "\(kind.rawValue), status \($0)" } ?? kind.rawValue }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["failure": description]) }
}

extension LaneFailure {
    /// The cause for which there was no response, with the receiver's host and port, and what to do about it.
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
    /// Why events wait, are kept or are lost, and what to do about it, in one sentence; `nil` when nothing is wrong.
    ///
    /// Of several causes it is the one that keeps most from being sent. It is fit for a log: it repeats nothing of the
    /// receiver's answer.
    public var explanation: String? {
        if let storageFailure { return storageFailure.explanation }
        if let dropped = ledgerSinceOpening.dropped[.noVendorService], dropped > 0 {
            let events = LaneStatistics.events(dropped)
            return "\(events) dropped: the product's tracker has no vendor service; pass one to its initializer"
        }
        guard isServed else { return "no destination serves the lane: pass one to the engine when it is opened" }
        switch consent {
        case .denied: return denialExplanation
        case .unknown where ledger.pending > 0:
            return "waits for consent\(aim): \(LaneStatistics.events(ledger.pending)) held; call setConsent(_:for:)"
        case .unknown, .granted: break
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

    /// The time after which a request without a response is worth a sentence.
    package static let patience = Duration.seconds(5)

    /// `nil` while the receiver may still respond soon.
    private var requestExplanation: String? {
        guard let requestAge, requestAge >= LaneStatistics.patience else { return nil }
        let receiver = receiver.isEmpty ? "the receiver" : receiver
        return "\(receiver) has not responded for \(requestAge.inOneUnit): the engine waits, then tries again"
    }

    /// `nil` if the denial has cost no event since the engine was opened.
    private var denialExplanation: String? {
        let count = ledger.pending + ledgerSinceOpening.dropped[.consentDenied, default: 0]
        guard count > 0 else { return nil }
        return "consent\(aim) is denied: \(count) \(count == 1 ? "event" : "events") dropped"
    }

    /// A pause that this run has not confirmed: what the receiver said then, and not what it says now.
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
            return "the receiver takes events and loses them\(cause): lastFailure.code has its reason"
        case (.paused, _):
            return (PauseReason(rawValue: lastFailure.code)?.explanation ?? lastFailure.connectionExplanation) + cause
                + next
        case (.retry, nil): return "\(lastFailure.connectionExplanation); the engine tries again\(next)"
        case (.retry, 429): return "the receiver asks for fewer requests\(cause): the engine waits as it is told\(next)"
        case (.retry, _?): return "the receiver is busy or fails\(cause): the engine tries again\(next)"
        }
    }

    private var lossExplanation: String? {
        if ledger.quarantined > 0 {
            let events = LaneStatistics.events(ledger.quarantined)
            return "\(events) in quarantine, refused by the receiver: look at quarantined(), then retry or discard"
        }
        let rules = ledgerSinceOpening.dropped.filter { $0.key.name.hasPrefix("rule.") && $0.value > 0 }
        guard let (rule, count) = rules.min(by: { ($1.value, $0.key.name) < ($0.value, $1.key.name) }) else {
            return nil
        }
        let events = LaneStatistics.events(count)
        return "\(events) refused by the rule \(rule.name.dropFirst(5)) before being stored: correct what is tracked"
    }

    /// The purpose, as the consent sentences name it.
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
    /// The cause, and what comes of it.
    fileprivate var explanation: String {
        switch self {
        case .full: "the disk is full: events are kept in memory until there is room again"
        case .suspended: "the storage is suspended: events are kept in memory; resume it"
        case .busy: "another process uses the queue: events are kept in memory until it has ended"
        default: "the storage takes nothing (\(self)): events are kept in memory"
        }
    }
}

extension PauseReason {
    /// The cause, and what to do about it.
    fileprivate var explanation: String {
        switch self {
        case .credentials: "the receiver refuses the credentials: correct them and call resume()"
        case .endpoint: "there is no such endpoint: correct the address and call resume()"
        case .missingTable: "the receiver has no such table: create it or correct its name, and call resume()"
        case .missingColumn: "the receiver's table lacks a column: add it and call resume()"
        case .intercepted: "something else answered, such as a captive portal: sign in to the network or wait"
        case .trust: "the receiver's certificate is not trusted: check it, the clock and the CA file"
        case .protocolMismatch: "the receiver refuses every event alike: check the format or the table's columns"
        }
    }
}

extension PauseReason {
    /// What to do about a pause of an earlier run.
    ///
    /// A changed address or credential needs no `resume()`.
    fileprivate var cure: String {
        switch self {
        case .credentials: "correct the credentials, or call resume() if they are right"
        case .endpoint: "correct the address, or call resume() if it is right"
        case .missingTable: "create the table or correct its name, and call resume()"
        case .missingColumn: "add the column and call resume()"
        case .intercepted: "sign in to the network or wait"
        case .trust: "check the receiver's certificate, the clock and the CA file"
        case .protocolMismatch: "check what the receiver expects, and call resume()"
        }
    }
}

extension Timestamp {
    /// The minute in UTC, such as `14:02 UTC`, after the date if it is not that of `now`.
    fileprivate func minute(on now: Timestamp?) -> String {
        let (date, time) = (rfc3339.prefix(10), rfc3339.dropFirst(11).prefix(5))
        return now?.rfc3339.prefix(10) == date ? "\(time) UTC" : "\(date) \(time) UTC"
    }
}

extension Duration {
    /// The duration in the unit that suits it, rounded down: `40 s`, `12 min`, `5 h`, `3 days`.
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
