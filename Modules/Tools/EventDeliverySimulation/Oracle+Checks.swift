import CoreTracker
import EventDelivery

/// Checks of the engine's reports against the model.
extension Oracle.State {
    mutating func becomeAnother(now: Int64) {
        user = ""
        installation += 1
        startSession(now: now, stored: now)
    }

    /// Starts a session, which the given call or the next event stores.
    mutating func startSession(now: Int64, stored: Int64? = nil) {
        // Without its storage, an engine does not store the start.
        let mayBeStored = !isClosing && !hasClosed && !suspension.isPossible
        sessionStarts.append(
            SessionStart(mayBeStored: mayBeStored, stored: stored, earlier: session, lastTrack: lastTrack)
        )
        session += 1
        isSessionKnown = true
        lastTrack = max(lastTrack, now)
    }

    /// Lets the next life continue the sessions before those whose start may not be stored.
    mutating func continueSessions(isUnsure: Bool, now: Int64) {
        for start in sessionStarts {
            let isStored = start.mayBeStored && start.stored.map { now - $0 > 2_000_000_000 } ?? false
            if isUnsure || !isStored { lastSessions[start.earlier] = start.lastTrack }
        }
        sessionStarts = []
    }

    /// Checks that events share a session if and only if they were tracked in the same one.
    mutating func check(_ tracked: Int, named name: String) {
        var session = continuations[tracked] ?? tracked
        if let known = epochs[name], known != session {
            // The events of a continued session may arrive before the events of the earlier life.
            let (earlier, later) = (min(known, session), max(known, session))
            if (sessions[session] ?? name) == name, mayContinue(earlier, as: later) {
                continuations[later] = earlier
                sessions[later] = nil
                session = earlier
                epochs[name] = earlier
            }
        }
        if let known = sessions[session], known != name { report(.session, "one has two names") }
        if let known = epochs[name], known != session { report(.session, "two have one name") }
        sessions[session] = name
        epochs[name] = session
    }

    /// Whether the first session of a life may continue the last one of an earlier life.
    private func mayContinue(_ earlier: Int, as first: Int) -> Bool {
        guard let begin = beginnings[first], let timeout = begin.timeout, lastSessions[earlier] != nil,
            let last = lastSessions.filter({ $0.key >= earlier && $0.key < first }).values.max()
        else { return false }
        return hasJumped || begin.time - last <= timeout.nanoseconds
    }

    /// Checks that events with the same share are sampled together, and that a smaller sample is part of a larger one.
    mutating func noteSample(of number: Int, isIncluded: Bool) {
        let event = events[number]
        guard let share = event.share, share < 1, let session = event.session else { return }
        let unit = SampledUnit(
            life: event.life,
            number: event.isSampledBySession ? continuations[session] ?? session : event.installation
        )
        var bounds = samples[unit] ?? (included: 1, excluded: 0)
        if isIncluded {
            bounds.included = min(bounds.included, share)
        } else {
            bounds.excluded = max(bounds.excluded, share)
        }
        samples[unit] = bounds
        if bounds.excluded >= bounds.included { report(.sampling, "event \(number)") }
    }

    mutating func beginClosing() {
        isClosing = true
        suspension.isSure = false
        // In memory, or without an open file, undelivered events end with the engine.
        guard !isStored || !isOpen else { return }
        for number in events.indices where !events[number].isAcknowledged && events[number].life == life {
            events[number].excuse = events[number].excuse ?? "closing"
        }
    }

    /// Records the statistics after a close.
    ///
    /// A denial or an erasure that the disk refused may have reached the file.
    mutating func closed(_ statistics: [LaneStatistics]) {
        let isKnown = isStored && isOpen && !erasures.contains { $0.life == life }
        let steady = statistics.filter { $0.consent != .denied }
        left = isKnown ? steady.reduce(into: [:]) { $0[$1.id] = $1.ledger.pending } : nil
    }

    /// Checks that an opening has found the events that the last close has left.
    mutating func checkLeft(_ statistics: [LaneStatistics]) {
        defer { left = nil }
        // A file that cannot be read or synced may have lost events, which are counted.
        guard let left, !mayBeReplaced, !hasMisread, !hasFailedToSync, !isTorn, !isClosing,
            statistics.allSatisfy({ $0.storageFailure == nil })
        else { return }
        for lane in statistics {
            let (found, expected) = (lane.ledger.pending - lane.ledgerSinceOpening.pending, left[lane.id] ?? 0)
            // Acknowledgements and losses that a full disk has refused are pending again.
            if found < expected { report(.leftBehind, "\(found) instead of \(expected)") }
        }
    }

    mutating func record(_ receipt: Receipt, of number: Int) {
        events[number].receipt = receipt.outcome
        let id = receipt.id.description
        if !events[number].id.isEmpty, events[number].id != id { report(.stableID, "event \(number) and its receipt") }
        guard case .dropped(let reason) = receipt.outcome else { return }
        if reason == .sampledOut { noteSample(of: number, isIncluded: false) }
        // The event may have been stored when the engine was closed, so it may arrive later.
        if [.closed, .storageFull].contains(reason), isClosing {
            return events[number].excuse = events[number].excuse ?? "closing"
        }
        // The response to a request is ignored if an erasure or a suspension has cancelled it.
        let isIgnored = reason == .bufferFull && events[number].mayBeSentAgain
        // A commit that failed before the directory was released may have reached the disk.
        if reason == .bufferFull, suspension.isPossible { events[number].mayBeSentAgain = true }
        if events[number].isAcknowledged, !isIgnored, reason != .consentDenied, reason != .erased {
            report(.receiptLost, "\(reason), acknowledged")
        }
        // If a denial or an erasure cancels a request, its response is ignored.
        let isDecided =
            reason == .consentDenied && words[Lanes.purpose(of: events[number].lane)].count > events[number].word
            || reason == .erased && erasures.contains { covers($0, number) }
        let isCalledBack = isDecided && events[number].isAcknowledged
        if events[number].excuse == nil, !possibleLosses.contains(reason), !isCalledBack {
            report(.receiptReason, "\(reason)")
        }
    }

    /// Checks that all reports together count each tracked event once.
    mutating func check(_ report: FlushReport, before: Int) {
        for lane in lanes.indices {
            guard let found = report.lanes.first(where: { $0.id.service == "\(lane)" }) else { continue }
            lanes[lane].reported += found.accepted
            lanes[lane].lost += found.droppedTotal
            // A torn file may contain events that its counts include only after their delivery.
            guard !isTorn else { continue }
            if found.accepted < 0 || found.delivered < 0 || found.pendingAtLastReport < 0 {
                self.report(.flushSums, "\(found)")
            }
            let tracked = events.count { $0.lane == lane && $0.life == life }
            if lanes[lane].reported > tracked {
                self.report(.flushSums, "\(lanes[lane].reported) of \(tracked) on lane \(lane)")
            }
            guard found.outcome == .drained, !isClosing else { continue }
            let open = events.prefix(before).filter {
                $0.lane == lane && $0.life == life && !$0.isAcknowledged && $0.excuse == nil && !$0.isRefused
                    && $0.payload == .plain
            }
            let losses = lanes[lane].lost + found.quarantined
            if open.count > losses, !isStored || steadySince < .max {
                self.report(.flushDrained, "\(open.count) on lane \(lane)")
            }
        }
    }

    mutating func check(_ statistics: [LaneStatistics], trackedBefore: [Int], unstoredBefore: Int) {
        // Events of an earlier life are subject to the quotas of that life.
        guard !isClosing, !isStored else { return }
        // Events tracked in the meantime may be unstored too.
        let unstored = unstoredBefore + lanes.reduce(0) { $0 + $1.tracked } - trackedBefore.reduce(0, +)
        var (quarantined, stored) = (0, -unstored)
        for lane in lanes.indices {
            guard let found = statistics.first(where: { $0.id.service == "\(lane)" }) else { continue }
            quarantined += found.ledger.quarantined
            stored += found.ledger.pending
            // Events tracked under an earlier grant wait, too.
            let granted = events.count { $0.lane == lane && $0.isGranted }
            if found.eventsAwaitingConsent > settings.budget.eventsAwaitingConsent + granted {
                report(.heldBound, "\(found.eventsAwaitingConsent) instead of \(settings.budget.eventsAwaitingConsent)")
            }
            if !(trackedBefore[lane]...lanes[lane].tracked).contains(found.ledger.accepted) {
                report(.ledgerAccepted, "\(found.ledger.accepted) of \(lanes[lane].tracked) on lane \(lane)")
            }
        }
        if quarantined > settings.budget.quarantinedEvents {
            report(.quarantineBound, "\(quarantined) instead of \(settings.budget.quarantinedEvents)")
        }
        // One group may exceed the budget until the next group, and events in flight are not evicted.
        if stored > settings.budget.events + 1_024 + 20 * (Lanes.count + 2) {
            report(.storedBound, "\(stored) instead of \(settings.budget.events)")
        }
    }

    mutating func check(_ explanation: EventExplanation, of id: String, now: Int64) {
        guard let number = serials[id] else { return }
        let event = events[number]
        switch explanation.status {
        case .delivered:
            if !event.hasArrived { report(.ledgerDelivered, "event \(number)") }
        case .dropped(.expired):
            if now - event.tracked < settings.budget.age.nanoseconds { report(.expiry, "event \(number)") }
        case .dropped(let reason):
            if event.excuse == nil, !possibleLosses.contains(reason) { report(.noLoss, "\(reason)") }
        case .quarantined:
            if !event.isRefused { report(.quarantineCause, "event \(number)") }
        default: break
        }
    }

    mutating func checkQuarantined(_ ids: [String]) {
        for id in ids {
            guard let number = serials[id], !events[number].isRefused else { continue }
            report(.quarantineCause, "event \(number)")
        }
    }

    /// Checks that all events are stored, except the most recent ones.
    mutating func checkStored(_ unstored: Int, now: Int64) {
        guard isOpen, !isClosing, steadySince <= now - 2_000_000_000 else { return }
        let young = events.reversed().prefix { $0.tracked > now - 1_300_000_000 }.count
        if unstored > young { report(.storedSoon, "\(unstored) wait, of which \(young) are young") }
    }

    /// Records the events included in a call of `storeBuffered` as stored.
    mutating func stored(before: Int, life: Int) {
        guard life == self.life, steadySince < .max else { return }
        for number in 0..<before where events[number].life == life { events[number].isStored = true }
    }

    /// Checks that lanes without a fault deliver, independent of other lanes.
    mutating func checkIndependence(now: Int64) {
        guard isOpen, !isClosing, steadySince <= now - 30_000_000_000, possibleLosses.count <= 4 else { return }
        for lane in lanes.indices where lanes[lane].isClean && words[Lanes.purpose(of: lane)].isSteady {
            let own = events.filter { $0.lane == lane }
            // A refused event delays later ones, also in later lives.
            guard own.allSatisfy({ $0.payload == .plain }) else { continue }
            let late = own.count {
                $0.life == life && !$0.hasArrived && $0.excuse == nil && $0.tracked < now - 30_000_000_000
            }
            if late > 0 { report(.independence, "\(late) events of lane \(lane) wait") }
        }
    }

    /// Returns the promise broken by lost events, according to the worst ending of a process since they were tracked.
    private func promise(of lost: [Oracle.Event]) -> Promise {
        let ends = endings.dropFirst(lost.map(\.life).min() ?? 0)
        return ends.contains(.powerLoss) ? .survivesPowerLoss : ends.contains(.kill) ? .survivesKill : .noLoss
    }

    /// Checks the end state after all faults: every event is settled, and each missing event is counted.
    mutating func account(for statistics: [LaneStatistics]) {
        checkErased(statistics.reduce(0) { $0 + ($1.ledger.dropped[.erased] ?? 0) })
        for lane in lanes.indices {
            guard let ledger = statistics.first(where: { $0.id.service == "\(lane)" })?.ledger else { continue }
            let own = events.filter { $0.lane == lane }
            if ledger.pending != 0 { report(.liveness, "\(ledger.pending) of lane \(lane) are pending") }
            if !isStored, ledger.accepted != own.count {
                report(.ledgerAccepted, "\(ledger.accepted) of \(own.count) in the end")
            }
            let arrived = own.count { $0.hasArrived }
            if ledger.delivered > arrived, !isTorn {
                report(.ledgerDelivered, "\(ledger.delivered), \(arrived) arrived")
            }
            if !isStored, own.count - arrived > ledger.droppedTotal + ledger.quarantined {
                report(.accounted, "\(own.count - arrived) have not arrived, \(ledger)")
            }
            let causeless = own.filter { !$0.hasArrived && $0.excuse == nil && !$0.isRefused && $0.payload == .plain }
            // If a power loss may damage an event, it has another excuse.
            let causes = hasMisread ? possibleLosses : possibleLosses.subtracting([.corrupted])
            let losses = ledger.dropped.filter { causes.contains($0.key) }.values.reduce(0, +)
            // Events are counted by the durability checkpoint if they were unreadable for minutes. A power loss may
            // have deleted the checkpoint.
            let promise = promise(of: causeless)
            if causeless.count > losses, !hasMisread || promise != .survivesPowerLoss {
                report(promise, "\(causeless.count) of lane \(lane), \(ledger)")
            }
            let damaged = ledger.dropped[.corrupted] ?? 0
            if damaged > 0, !possibleLosses.contains(.corrupted) { report(.noLoss, "corrupted: \(ledger)") }
            if !isStored, lanes[lane].reported != own.count {
                report(.flushSums, "\(lanes[lane].reported) of \(own.count)")
            }
        }
    }
}

/// The start of a session that is not the first one of its life.
struct SessionStart {
    let mayBeStored: Bool
    /// The time of the call or of the first event that stores the start, if any.
    var stored: Int64?
    /// The session before it, and the time of that session's last event.
    let earlier: Int
    let lastTrack: Int64
}

/// A session or an installation whose events are sampled together.
struct SampledUnit: Hashable {
    let life: Int
    let number: Int
}
