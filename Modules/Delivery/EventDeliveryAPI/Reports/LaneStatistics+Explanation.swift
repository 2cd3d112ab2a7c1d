import CoreTracker

extension LaneStatistics {
    /// The problem of the lane with its cure, or `nil` if there is none.
    ///
    /// It is about waiting, quarantined and dropped events.
    ///
    /// If there are several causes, it is the one that keeps the most events from being sent. The sentence can be
    /// logged: it contains nothing of an event or of the receiver's response.
    public var explanation: String? { explanations.first?.description }

    /// All causes of waiting, quarantined and dropped events, the most serious first.
    package var explanations: [Explanation] {
        var causes = [obstacle, waitingCause, quarantineCause].compactMap(\.self)
        causes += lossCauses
        if causes.isEmpty, let delay { causes.append(delay) }
        return causes
    }

    /// The causes to log.
    var loggedCauses: [Explanation] {
        let isUsed = ledger.pending > 0 || ledgerSinceOpening.accepted > 0
        return explanations.filter { cause in
            switch cause.name {
            // If a service has not tracked anything, its lane needs no destination.
            case "no_destination": isUsed
            // The line about the quarantine has their number.
            case "refused": ledger.quarantined == 0
            default: !cause.isUsual
            }
        }
    }

    /// The time after which a request without a response, or an event without another cause, counts as delayed.
    package static let patience = Duration.seconds(5)
}

/// The causes that keep all events of the lane from being sent.
extension LaneStatistics {
    private var obstacle: Explanation? {
        if surroundings.phase == .unopened {
            guard ledger.pending > 0 else { return nil }
            return Explanation(
                "not_open",
                "\(LaneStatistics.events(ledger.pending)) only in memory, because the engine was never opened",
                cure: "call open(_:) when the program starts"
            )
        }
        if let storageFailure { return storageFailure.explanation(surroundings) }
        guard hasDestination else { return missingDestination }
        switch consent {
        case .denied: return denial
        case .unknown where ledger.pending > 0:
            return Explanation(
                "consent_unknown",
                "waits for consent\(aim): \(LaneStatistics.events(ledger.pending)) kept",
                cure: "call setConsent(_:for:)"
            )
        case .unknown, .granted: break
        }
        guard !holdReasons.isEmpty, ledger.pending > 0 else { return nil }
        let reasons = holdReasons.sorted().map(\.name).joined(separator: ", ")
        return Explanation(
            "held",
            "on hold (\(reasons)): \(LaneStatistics.events(ledger.pending)) kept",
            cure: "call release(_:reason:)"
        )
    }

    /// The explanation of a lane without a destination.
    ///
    /// Events that a tracker could not pass on need no destination.
    private var missingDestination: Explanation? {
        let needsNone = ledger.dropped.reduce(0) { $0 + (LibraryReason.isBeforeALane($1.key) ? $1.value : 0) }
        guard needsNone == 0 || needsNone < ledger.accepted else { return nil }
        return Explanation(
            "no_destination",
            "the lane has no destination",
            cure: SimilarNames.question(about: id.description, among: surroundings.served)
                ?? "pass one in the configuration when you open the engine"
                + SimilarNames.list(of: surroundings.served, named: "lanes with a destination")
        )
    }

    /// The explanation of a denial, or `nil` if no event was dropped for it since the engine was opened.
    private var denial: Explanation? {
        let count = ledger.pending + ledgerSinceOpening.dropped[.consentDenied, default: 0]
        guard count > 0 else { return nil }
        return Explanation(
            "consent_denied",
            "consent\(aim) is denied: \(count) \(count == 1 ? "event" : "events") dropped",
            cure: "this loss is intended",
            isIntended: true
        )
    }
}

/// The causes of the lane's wait or failure.
extension LaneStatistics {
    private var waitingCause: Explanation? {
        if let pauseReason {
            if isPausedByEarlierRun { return history(of: pauseReason) }
            return pauseReason.explanation(after: lastFailure).adding(next)
        }
        if let requestAge, requestAge >= LaneStatistics.patience {
            return Explanation(
                "no_response_yet",
                "\(receiver.isEmpty ? "the receiver" : receiver) has not responded for \(requestAge.inOneUnit)",
                cure: "the engine waits, then tries again"
            )
        }
        guard lastFailure != nil || nextAttempt != nil else { return nil }
        let unknown = Explanation("failed", "the last attempt failed", cure: "the engine tries again\(next)")
        let failure = lastFailure?.explanation(nextAttempt: next) ?? unknown
        guard isFailureOfEarlierRun else { return failure }
        // The receiver may work again, so an earlier failure matters only while the lane waits for it.
        guard !next.isEmpty || surroundings.phase == .closed else { return nil }
        return Explanation("earlier.\(failure.name)", "in an earlier run, \(failure.cause)", cure: failure.cure)
    }

    /// Returns the explanation of a pause that this run has not confirmed.
    ///
    /// It reports the response of the earlier run.
    private func history(of pause: PauseReason) -> Explanation {
        let since = pausedSince.map { " since \($0.minute(on: now))" } ?? ""
        let by = lastFailure.map { " by \($0.status.map { "status \($0)" } ?? $0.code)" } ?? ""
        let known = pause.explanation(after: lastFailure)
        return Explanation(known.name, "paused\(since)\(by) in an earlier run", cure: known.cure + next)
    }

    private var quarantineCause: Explanation? {
        guard ledger.quarantined > 0 else { return nil }
        return Explanation(
            "quarantined",
            "\(LaneStatistics.events(ledger.quarantined)) in quarantine, refused by the receiver",
            cure: "look at quarantine.events(), then retry or discard"
        )
    }

    /// The explanation of events that wait for a schedule, for a closed engine or behind earlier events.
    private var delay: Explanation? {
        if let nextSending {
            return Explanation(
                "scheduled",
                "waits for its schedule",
                cure: "sends in \(nextSending.inOneUnit), or when flush is called"
            )
        }
        guard ledger.pending > 0 else { return nil }
        if surroundings.phase == .closed {
            return Explanation(
                "closed",
                "\(LaneStatistics.events(ledger.pending)) left in the directory, because the engine is closed",
                cure: "the next start sends them"
            )
        }
        guard let oldestQueuedAge, oldestQueuedAge >= LaneStatistics.patience else { return nil }
        return Explanation(
            "backlog",
            "\(LaneStatistics.events(ledger.pending)) waiting, the oldest for \(oldestQueuedAge.inOneUnit)",
            cure: "the engine sends them in their order"
        )
    }

    /// The purpose, as it appears in the sentences about consent.
    var aim: String { purpose.map { " to \($0.name)" } ?? "" }

    static func events(_ count: Int) -> String { count == 1 ? "1 event is" : "\(count) events are" }

    private var next: String {
        nextAttempt.map { $0 >= .seconds(1) ? ", next in \($0.inOneUnit)" : "" } ?? ""
    }
}

/// The causes of losses since the engine was opened.
extension LaneStatistics {
    /// The explanations of losses: unintended losses first, each group by decreasing count.
    private var lossCauses: [Explanation] {
        let losses = ledgerSinceOpening.dropped.filter { $0.value > 0 }
        return losses.sorted { one, other in
            (one.key.isIntended ? 1 : 0, other.value, one.key.name)
                < (other.key.isIntended ? 1 : 0, one.value, other.key.name)
        }
        .filter { reason, _ in
            // Other sentences name these already.
            switch reason {
            case .consentDenied: consent != .denied
            case .noDestination: hasDestination
            default: true
            }
        }
        .map { $0.key.explanation(count: $0.value, on: self) }
    }
}
