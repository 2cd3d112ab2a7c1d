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
        /// The body was larger than the receiver takes.
        case tooLarge = "too_large"
    }

    /// When it went wrong.
    public let time: Timestamp
    /// What the engine made of it.
    public let kind: Kind
    /// The status of the receiver's answer; `nil` without one.
    public let status: Int?
    /// The receiver's own code or reason, or the transport's error; empty without one.
    public let code: String
    /// The start of the receiver's answer: at most 512 bytes, control characters removed.
    public let answer: String

    init(_ stored: StoredFailure) {
        time = stored.time
        kind = Kind(rawValue: stored.kind) ?? .retry
        status = stored.status == 0 ? nil : stored.status
        code = stored.code
        answer = stored.answer
    }
}

extension LaneFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { status.map { "\(kind.rawValue), status \($0)" } ?? kind.rawValue }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["failure": description]) }
}

extension LaneStatistics {
    /// Why events wait, and what to do about it, in one sentence; `nil` when nothing keeps the lane from sending.
    ///
    /// It is fit for a log: it repeats nothing of the receiver's answer.
    public var explanation: String? {
        if let storageFailure { return "the storage takes nothing (\(storageFailure)): events are kept in memory" }
        guard isServed else { return "no destination serves the lane: pass one to the engine when it is opened" }
        switch consent {
        case .denied: return "the user has refused the purpose: nothing is taken, sent or kept"
        case .unknown: return "the user has not answered yet: \(heldEvents) events are held; call setConsent"
        case .granted: break
        }
        if let pauseReason { return pauseReason.explanation + cause + next }
        if let lastFailure, lastFailure.kind == .refused || lastFailure.kind == .tooLarge {
            return "the receiver refuses events\(cause): look at quarantined(), then retry or discard them"
        }
        guard lastFailure != nil || nextAttempt != nil else { return nil }
        return "the receiver cannot be reached or is busy\(cause): the engine tries again\(next)"
    }

    private var cause: String {
        lastFailure?.status.map { " (status \($0))" } ?? ""
    }

    private var next: String {
        nextAttempt.map { $0 > .zero ? ", next in \($0.components.seconds) s" : "" } ?? ""
    }
}

extension PauseReason {
    /// The cause, and what to do about it.
    fileprivate var explanation: String {
        switch self {
        case .credentials: "the receiver refuses the credentials: correct them and call resume()"
        case .endpoint: "there is no such endpoint or table: correct the address and call resume()"
        case .intercepted: "something else answered, such as a captive portal: sign in to the network or wait"
        case .trust: "the receiver's certificate is not trusted: check it, the clock and the CA file"
        case .protocolMismatch: "the receiver refuses every event alike: check the format or the table's columns"
        }
    }
}
