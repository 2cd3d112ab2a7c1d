import EventDelivery

/// Erasures and suspensions of the storage.
extension Oracle {
    /// A requested erasure.
    struct Erasure: Sendable {
        /// The user whose events are erased, or `nil` for all events.
        let user: String?
        /// The number of the first event tracked after the call.
        let before: Int
        let life: Int
        /// Whether it may still be in progress.
        ///
        /// Events tracked in the meantime may be erased too.
        var isUnderWay = true
        /// Whether its call has thrown.
        ///
        /// It is then made at the opening or when the disk recovers.
        var isOwed = false
        /// The number of deleted events.
        var count: Int?
    }

    /// The state of the storage's suspension, which is uncertain if calls overlap.
    struct Suspension: Sendable {
        /// The state at the beginning of a call.
        struct Call: Sendable {
            /// The number of earlier calls of the other kind, or `nil` if such a call was in progress.
            let others: Int?
            let before: Int
            let isSteady: Bool
        }

        var begun = (suspends: 0, resumes: 0)
        var underWay = (suspends: 0, resumes: 0)
        /// Whether it is certainly suspended.
        var isSure = false
        /// Whether it may be suspended.
        var isPossible = false
    }
}

extension Oracle.State {
    /// The time since which events can be stored.
    var steadySince: Int64 { suspension.isPossible ? .max : fairSince }

    var isSuspended: Bool { suspension.isSure }
    var mayBeSuspended: Bool { suspension.isPossible }

    /// Records the opening of the engine.
    ///
    /// Earlier erasures are then complete.
    mutating func opened(now: Int64) {
        isOpen = true
        fairSince = max(now, diskFairSince)
        guard diskFairSince <= now else { return }
        for purpose in words.indices where words[purpose].life == life && words[purpose].hasReturned && !isClosing {
            words[purpose].isDone = true
            if words[purpose].last != .denied { words[purpose].mayBeDenied = false }
        }
        for index in erasures.indices
        where erasures[index].isUnderWay && (erasures[index].isOwed || erasures[index].life < life) {
            erasures[index].isUnderWay = false
            if erasures[index].life == life { noteErased(erasures[index]) }
        }
    }

    // MARK: Erasures

    /// Records the start of an erasure.
    ///
    /// Returns its number.
    mutating func beginErasing(_ user: String?) -> Int {
        erasures.append(Oracle.Erasure(user: user, before: events.count, life: life))
        for number in events.indices where user == nil || events[number].user == user {
            if events[number].excuse == nil, !events[number].isAcknowledged { events[number].excuse = "erased" }
        }
        // The response to a request with erased events is ignored, even if it has arrived but is not processed yet.
        for number in lanes.flatMap({ ($0.underWay.values + $0.ended).joined() })
        where events.indices.contains(number) {
            events[number].mayBeSentAgain = true
        }
        return erasures.count - 1
    }

    /// Whether an event is covered by an erasure in progress.
    func mayBeErased(_ number: Int) -> Bool {
        events.indices.contains(number) && erasures.contains { $0.isUnderWay && covers($0, number) }
    }

    /// Whether an erasure was requested after an event of its user.
    func covers(_ erasure: Oracle.Erasure, _ number: Int) -> Bool {
        number < erasure.before && (erasure.user == nil || erasure.user == events[number].user)
    }

    /// Whether an event is covered by an erasure of this process that could not be stored.
    func isRefusedErasure(_ number: Int) -> Bool {
        erasures.contains { $0.isOwed && $0.life == life && covers($0, number) }
    }

    /// Whether an erasure in progress may also delete the user's next event.
    func isErasing(_ user: String) -> Bool {
        erasures.contains { $0.isUnderWay && ($0.user == nil || $0.user == user) }
    }

    /// Records the result of an erasure.
    ///
    /// Returns whether no later event is like the deleted ones.
    mutating func erased(_ number: Int, _ result: Result<Int, DecisionError>) -> Bool {
        switch result {
        case .success(let count):
            erasures[number].count = count
            erasures[number].isUnderWay = false
        case .failure(.notStored(.notOpen)) where isClosing:
            erasures[number].isUnderWay = false
            return false
        case .failure:
            erasures[number].isOwed = true
            // Until it is stored, later events are sent first. If the process ends before, the others follow.
            let erasure = erasures[number]
            for event in 0..<erasure.before where erasure.user == nil || events[event].user == erasure.user {
                events[event].isPutBack = true
            }
            return false
        }
        let erasure = erasures[number]
        noteErased(erasure)
        for lane in lanes.indices {
            for event in lanes[lane].underWay.values.joined()
            where events.indices.contains(event) && events[event].isErased {
                report(.erasureUnderWay, "event \(event)")
            }
        }
        return !events[erasure.before...].contains { erasure.user == nil || $0.user == erasure.user }
    }

    private mutating func noteErased(_ erasure: Oracle.Erasure) {
        for number in 0..<erasure.before where erasure.user == nil || events[number].user == erasure.user {
            events[number].isErased = true
        }
    }

    /// Checks the ledger against the counts of the erasures, if all erasures have returned a count.
    mutating func checkErased(_ count: Int) {
        let reported = erasures.compactMap(\.count)
        guard !isStored, reported.count == erasures.count, reported.reduce(0, +) != count else { return }
        report(.erasureCount, "\(count) instead of \(reported.reduce(0, +))")
    }

    // MARK: Suspensions

    mutating func beginSuspending() -> Oracle.Suspension.Call {
        let call = Oracle.Suspension.Call(
            others: suspension.underWay.resumes == 0 && isOpen && !isClosing ? suspension.begun.resumes : nil,
            before: events.count,
            isSteady: steadySince < .max
        )
        suspension.begun.suspends += 1
        suspension.underWay.suspends += 1
        guard isStored else { return call }
        suspension.isPossible = true
        hinderDenials()
        possibleLosses.insert(.bufferFull)
        if !call.isSteady { discardChanges() }
        return call
    }

    /// Records that changes may be discarded, because the disk refuses them and the directory is released.
    ///
    /// The waits that receivers requested are among them.
    mutating func discardChanges() {
        forgetWaits()
        for number in events.indices {
            if events[number].life == life { events[number].mayBeSentAgain = true }
            // The lanes begin again with their oldest events.
            events[number].isOvertaken = false
        }
    }

    /// Records the return of a suspension.
    ///
    /// Returns whether the files are certainly closed.
    mutating func suspended(_ call: Oracle.Suspension.Call) -> Bool {
        suspension.underWay.suspends -= 1
        guard isStored, call.others == suspension.begun.resumes, !isClosing else { return false }
        suspension.isSure = true
        guard call.isSteady, fairSince < .max else { return true }
        for number in 0..<call.before where events[number].life == life { events[number].isStored = true }
        return true
    }

    mutating func beginResuming() -> Oracle.Suspension.Call {
        let others = suspension.underWay.suspends == 0 ? suspension.begun.suspends : nil
        suspension.begun.resumes += 1
        suspension.underWay.resumes += 1
        suspension.isSure = false
        return Oracle.Suspension.Call(others: others, before: 0, isSteady: false)
    }

    mutating func resumed(_ call: Oracle.Suspension.Call, now: Int64) {
        suspension.underWay.resumes -= 1
        guard call.others == suspension.begun.suspends else { return }
        suspension.isPossible = false
        fairSince = fairSince == .max ? .max : max(fairSince, now)
    }
}
