import CoreTracker
public import EventTracking

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
        var causes = [obstacle, waitingCause].compactMap(\.self)
        if ledger.quarantined > 0 { causes.append(explanation("quarantined", ledger.quarantined)) }
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

    /// The number of events that an engine leaves in its directory, or `nil` if there are none.
    var kept: Explanation? {
        ledger.pending > 0 && storageFailure == nil ? explanation("closed", ledger.pending) : nil
    }

    static func events(_ count: Int) -> String { count == 1 ? "1 event is" : "\(count) events are" }

    /// Returns the explanation of a number of events.
    private func explanation(_ name: String, row: String? = nil, _ count: Int, _ more: [String: String] = [:])
        -> Explanation
    {
        let values = [
            "events": LaneStatistics.events(count), "number": count == 1 ? "1 event" : "\(count) events",
            "vendor": id.service, "product": id.product, "aim": purpose.map { " to \($0.name)" } ?? "",
            "reasons": holdReasons.sorted(by: \.self).map(\.name).joined(separator: ", "),
            "age": (oldestQueuedAge ?? .zero).inOneUnit,
            "directory": surroundings.directory.isEmpty ? "DIR" : surroundings.directory,
        ]
        return Explanation(name, row: row, values.merging(more) { $1 })
    }
}

/// The causes that keep all events of the lane from being sent.
extension LaneStatistics {
    private var obstacle: Explanation? {
        let isPending = ledger.pending > 0
        if surroundings.phase == .unopened { return isPending ? explanation("not_open", ledger.pending) : nil }
        if let storageFailure { return storageFailure.explanation(surroundings) }
        guard hasDestination else { return missingDestination }
        switch consent {
        case .denied: return denial
        case .unknown where isPending: return explanation("consent_unknown", ledger.pending)
        case .unknown, .granted: return isPending && !holdReasons.isEmpty ? explanation("held", ledger.pending) : nil
        }
    }

    /// The explanation of a lane without a destination.
    ///
    /// Events that a tracker could not pass on need no destination.
    private var missingDestination: Explanation? {
        let needsNone = LaneStatistics.reasonsBeforeALane.reduce(0) { $0 + ledger.dropped[$1, default: 0] }
        guard needsNone == 0 || needsNone < ledger.accepted else { return nil }
        let hint = SimilarNames.hint(
            about: id.description,
            among: surroundings.served,
            named: "lanes with a destination",
            otherwise: "pass one in the configuration when you open the engine"
        )
        return Explanation("no_destination", ["hint": hint])
    }

    /// The reasons that a tracker counts on a lane that may need no destination.
    private static let reasonsBeforeALane: [DropReason] = [
        .noTracker, .noVendorService, .vendorNotRegistered, .vendorDisabled, .vendorWithoutEvents, .tooManyLanes,
    ]

    /// The explanation of a denial, or `nil` if no event was dropped for it since the engine was opened.
    private var denial: Explanation? {
        let count = ledger.pending + ledgerSinceOpening.dropped[.consentDenied, default: 0]
        guard count > 0 else { return nil }
        var denial = explanation("consent_denied", count)
        denial.isIntended = true
        return denial
    }
}

/// The causes of the lane's wait or failure.
extension LaneStatistics {
    private var waitingCause: Explanation? {
        if let pauseReason {
            var pause = pauseReason.explanation(after: lastFailure, nextAttempt: next)
            guard isPausedByEarlierRun else { return pause }
            // This run has not confirmed the pause, so it reports the response of the earlier run.
            let since = pausedSince.map { " since \($0.minute(on: now))" } ?? ""
            let by = lastFailure.map { " by \($0.status.map { "status \($0)" } ?? $0.code)" } ?? ""
            pause.cause = "paused\(since)\(by) in an earlier run"
            return pause
        }
        if let requestAge, requestAge >= LaneStatistics.patience {
            let receiver = receiver.isEmpty ? "the receiver" : receiver
            return Explanation("no_response_yet", ["receiver": receiver, "age": requestAge.inOneUnit])
        }
        guard lastFailure != nil || nextAttempt != nil else { return nil }
        var failure = lastFailure?.explanation(nextAttempt: next) ?? Explanation("failed", ["next": next])
        guard isFailureOfEarlierRun else { return failure }
        // The receiver may work again, so an earlier failure matters only while the lane waits for it.
        guard !next.isEmpty || surroundings.phase == .closed else { return nil }
        (failure.name, failure.cause) = ("earlier.\(failure.name)", "in an earlier run, \(failure.cause)")
        return failure
    }

    /// The explanation of events that wait for a schedule, for a closed engine or behind earlier events.
    private var delay: Explanation? {
        if let nextSending { return Explanation("scheduled", ["age": nextSending.inOneUnit]) }
        guard ledger.pending > 0 else { return nil }
        if surroundings.phase == .closed { return kept }
        guard let oldestQueuedAge, oldestQueuedAge >= LaneStatistics.patience else { return nil }
        return explanation("backlog", ledger.pending)
    }

    private var next: String {
        nextAttempt.map { $0 >= .seconds(1) ? ", next in \($0.inOneUnit)" : "" } ?? ""
    }
}

/// The causes of losses since the engine was opened.
extension LaneStatistics {
    /// The explanations of losses: unintended losses first, each group by decreasing count.
    private var lossCauses: [Explanation] {
        let losses = ledgerSinceOpening.dropped.sorted(by: \.key.name).sorted(by: { -$0.value })
        return losses.sorted(by: { $0.key.isIntended ? 1 : 0 }).compactMap { reason, count in
            // Other sentences name the causes of two reasons already.
            switch reason {
            case .consentDenied where consent == .denied: nil
            case .noDestination where !hasDestination: nil
            default: count > 0 ? explanation(of: reason, count) : nil
            }
        }
    }

    private func explanation(of reason: DropReason, _ count: Int) -> Explanation {
        let name = "dropped.\(reason.name)"
        let group = ["rule", "middleware"].first { reason.name.hasPrefix("\($0).") }
        let row = Sentences.rows[name] != nil ? name : group.map { "loss.\($0)" } ?? "loss"
        var values = ["name": String(reason.name.dropFirst(group.map { $0.count + 1 } ?? 0))]
        if reason == .vendorNotRegistered {
            let (vendor, vendors) = (id.service, surroundings.vendors)
            values["hint"] =
                SimilarNames.hint(about: vendor, among: vendors, named: "vendors", otherwise: "register its tracker")
        }
        var loss = explanation(name, row: row, count, values)
        loss.isIntended = reason.isIntended
        if loss.isIntended, !loss.cure.isEmpty { loss.cure = "this loss is intended; \(loss.cure)" }
        return loss
    }
}
