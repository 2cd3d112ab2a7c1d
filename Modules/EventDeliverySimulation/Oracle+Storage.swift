import EventDelivery

/// Erasures, and storage that is given back for a while.
extension Oracle {
    /// What somebody has asked to erase.
    struct Erasure: Sendable {
        /// Whose events; `nil` for everything.
        let user: String?
        /// The number of the first event that was tracked after the call.
        let before: Int
        let life: Int
        /// Whether it may go on still: what is tracked meanwhile may go with the rest.
        var isUnderWay = true
        /// Whether its call has thrown, so that it is left to the opening or to better weather.
        var isOwed = false
        /// How many events it has deleted.
        var count: Int?
    }

    /// Whether the storage is suspended, as far as calls that overlap let anybody know.
    struct Suspension: Sendable {
        /// What a call has found when it began.
        struct Call: Sendable {
            /// How many calls of the other kind had begun; `nil` where one of them was under way.
            let others: Int?
            let before: Int
            let isSteady: Bool
        }

        var begun = (suspends: 0, resumes: 0)
        var underWay = (suspends: 0, resumes: 0)
        /// Whether it is suspended for sure.
        var isSure = false
        /// Whether it may be suspended.
        var isPossible = false
    }
}

extension Oracle.State {
    /// Since when nothing disturbs the storing of events.
    var steadySince: Int64 { suspension.isPossible ? .max : fairSince }

    var isSuspended: Bool { suspension.isSure }
    var mayBeSuspended: Bool { suspension.isPossible }

    /// Notes that the engine is open; what was to be erased before is.
    mutating func opened(now: Int64) {
        isOpen = true
        fairSince = max(now, diskFairSince)
        guard diskFairSince <= now else { return }
        for purpose in words.indices where words[purpose].life == life && words[purpose].hasReturned && !isClosing {
            words[purpose].isDone = true
        }
        for index in erasures.indices
        where erasures[index].isUnderWay && (erasures[index].isOwed || erasures[index].life < life) {
            erasures[index].isUnderWay = false
            if erasures[index].life == life { noteErased(erasures[index]) }
        }
    }

    // MARK: Erasures

    /// Notes that an erasure begins; returns its number.
    mutating func beginErasing(_ user: String?) -> Int {
        erasures.append(Oracle.Erasure(user: user, before: events.count, life: life))
        for number in events.indices where user == nil || events[number].user == user {
            if events[number].excuse == nil, !events[number].isAcknowledged { events[number].excuse = "erased" }
        }
        return erasures.count - 1
    }

    /// Whether what is tracked now by a user may be erased at once.
    func isErasing(_ user: String) -> Bool {
        erasures.contains { $0.isUnderWay && ($0.user == nil || $0.user == user) }
    }

    /// Notes what has come of an erasure; returns whether no later event is like those that it has deleted.
    mutating func erased(_ number: Int, _ result: Result<Int, OutboxError>) -> Bool {
        switch result {
        case .success(let count):
            erasures[number].count = count
            erasures[number].isUnderWay = false
        case .failure(.notOpen) where isClosing:
            erasures[number].isUnderWay = false
            return false
        case .failure:
            erasures[number].isOwed = true
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

    /// Where all erasures have told what they have deleted, the ledger says the same.
    mutating func checkErased(_ count: Int) {
        let told = erasures.compactMap(\.count)
        guard !isStored, told.count == erasures.count, told.reduce(0, +) != count else { return }
        report(.erasureCount, "\(count) instead of \(told.reduce(0, +))")
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
        return call
    }

    /// Notes that a suspension has returned; returns whether the files are given back for sure.
    mutating func suspended(_ call: Oracle.Suspension.Call) -> Bool {
        suspension.underWay.suspends -= 1
        guard isStored, call.others == suspension.begun.resumes, !isClosing else { return false }
        suspension.isSure = true
        guard call.isSteady, fairSince < .max else { return true }
        for number in 0..<call.before where events[number].life == life { events[number].isPersisted = true }
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
