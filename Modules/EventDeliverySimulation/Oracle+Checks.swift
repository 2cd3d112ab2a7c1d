import CoreTracker
import EventDelivery

/// What the engine says of itself, against the model.
extension Oracle.State {
    mutating func becomeAnother(now: Int64) {
        user = ""
        installation += 1
        startSession(now: now)
    }

    mutating func startSession(now: Int64) {
        session += 1
        lastTrack = max(lastTrack, now)
    }

    mutating func beginClosing() {
        isClosing = true
        suspension.isSure = false
        // In memory, and where no file was opened, what is not delivered by then ends with the engine.
        guard !isStored || !isOpen else { return }
        for number in events.indices where !events[number].isAcknowledged && events[number].life == life {
            events[number].excuse = events[number].excuse ?? "closing"
        }
    }

    mutating func note(_ receipt: Receipt, of number: Int) {
        events[number].receipt = receipt.outcome
        let id = receipt.id.description
        if !events[number].id.isEmpty, events[number].id != id { report(.stableID, "event \(number) and its receipt") }
        guard case .lost(let reason) = receipt.outcome else { return }
        // It was not known to be stored when the engine was closed; it may be, and arrive later.
        if reason == .closed, isClosing { return events[number].excuse = events[number].excuse ?? "closing" }
        if events[number].isAcknowledged, reason != .consentDenied, reason != .erased {
            report(.receiptLost, "\(reason), acknowledged")
        }
        // The answer to a request that a denial calls back counts for nothing.
        let isCalledBack =
            reason == .consentDenied && events[number].isAcknowledged
            && words[Lanes.purpose(of: events[number].lane)].count > events[number].word
        if events[number].excuse == nil, !possibleLosses.contains(reason), !isCalledBack {
            report(.receiptReason, "\(reason)")
        }
    }

    /// Reports together count each event that was tracked once.
    mutating func check(_ report: FlushReport, before: Int) {
        for lane in lanes.indices {
            guard let found = report.lanes.first(where: { $0.id.service == "\(lane)" }) else { continue }
            lanes[lane].reported += found.accepted
            lanes[lane].lost += found.lostTotal
            // A torn file may hold events that its counts do not know until they are delivered.
            guard !isTorn else { continue }
            if found.accepted < 0 || found.delivered < 0 || found.carriedOver < 0 {
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
        // What an earlier life has left keeps to that one's bounds.
        guard !isClosing, !isStored else { return }
        // What has been tracked meanwhile may be unstored, too.
        let unstored = unstoredBefore + lanes.reduce(0) { $0 + $1.tracked } - trackedBefore.reduce(0, +)
        var (quarantined, stored) = (0, -unstored)
        for lane in lanes.indices {
            guard let found = statistics.first(where: { $0.id.service == "\(lane)" }) else { continue }
            quarantined += found.ledger.quarantined
            stored += found.ledger.pending
            if found.heldEvents > settings.budget.heldEvents {
                report(.heldBound, "\(found.heldEvents) instead of \(settings.budget.heldEvents)")
            }
            if !(trackedBefore[lane]...lanes[lane].tracked).contains(found.ledger.accepted) {
                report(.ledgerAccepted, "\(found.ledger.accepted) of \(lanes[lane].tracked) on lane \(lane)")
            }
        }
        if quarantined > settings.budget.quarantinedEvents {
            report(.quarantineBound, "\(quarantined) instead of \(settings.budget.quarantinedEvents)")
        }
        // One group may exceed the budget until the next one comes, and what is under way is not evicted.
        if stored > settings.budget.events + 3_072 + 20 * (Lanes.count + 2) {
            report(.storedBound, "\(stored) instead of \(settings.budget.events)")
        }
    }

    mutating func check(_ explanation: EventExplanation, of id: String, now: Int64) {
        guard let number = serials[id] else { return }
        let event = events[number]
        switch explanation.fate {
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

    /// All events are stored that have been tracked long enough ago.
    mutating func checkStored(_ unstored: Int, now: Int64) {
        guard isOpen, !isClosing, steadySince <= now - 2_000_000_000 else { return }
        let young = events.reversed().prefix { $0.tracked > now - 1_300_000_000 }.count
        if unstored > young { report(.storedSoon, "\(unstored) wait, of which \(young) are young") }
    }

    /// What a persist has covered is stored.
    mutating func persisted(before: Int, life: Int) {
        guard life == self.life, steadySince < .max else { return }
        for number in 0..<before where events[number].life == life { events[number].isPersisted = true }
    }

    /// Lanes without a fault of their own deliver, whatever happens to the others.
    mutating func checkIndependence(now: Int64) {
        guard isOpen, !isClosing, steadySince <= now - 30_000_000_000, possibleLosses.count <= 4 else { return }
        for lane in lanes.indices where lanes[lane].isClean && words[Lanes.purpose(of: lane)].isSteady {
            let own = events.filter { $0.lane == lane && $0.life == life }
            guard own.allSatisfy({ $0.payload == .plain }) else { continue }
            let late = own.count { !$0.hasArrived && $0.excuse == nil && $0.tracked < now - 30_000_000_000 }
            if late > 0 { report(.independence, "\(late) events of lane \(lane) wait") }
        }
    }

    /// Which promise is broken where events are lost: that of the worst end of a process that they have lived through.
    private func promise(of lost: [Oracle.Event]) -> Promise {
        let ends = endings.dropFirst(lost.map(\.life).min() ?? 0)
        return ends.contains(.powerLoss) ? .survivesPowerLoss : ends.contains(.kill) ? .survivesKill : .noLoss
    }

    /// The end, after all faults: everything is settled, and what has not arrived is counted.
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
            // What a power loss may damage has an excuse of its own.
            let causes = hasMisread ? possibleLosses : possibleLosses.subtracting([.corrupted])
            let losses = ledger.dropped.filter { causes.contains($0.key) }.values.reduce(0, +)
            // What nobody could read for minutes is counted by its mark, which a power loss may have taken.
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
