import CoreTracker
import EventDelivery
import Locks

/// A model of the engine's correct behavior.
///
/// It records the calls and the received events, and from them determines which results are allowed.
package final class Oracle: Sendable {
    /// A tracked event and its state.
    struct Event: Sendable {
        let lane: Int
        let life: Int
        /// The session, or `nil` if it is not known.
        let session: Int?
        let installation: Int
        let user: String
        let tracked: Int64
        /// When it was tracked, or a quotas document may have dropped it from the buffer.
        ///
        /// The event or the count of its loss is stored soon afterwards.
        var buffered: Int64
        let options: TrackOptions
        let payload: Operation.Payload
        /// The sampled share of events of its name, if any, and whether sessions are sampled, not installations.
        ///
        /// It is not known if a quotas document may replace it. After a decision, the share of installations is not
        /// known, because a denial can replace the installation.
        let share: Double?
        let isSampledBySession: Bool
        /// The number of decisions about the lane's purpose at that time.
        let word: Int
        /// Whether there was a grant at that time, or later.
        var isGranted: Bool
        var id = ""
        /// The number of times it was sent, and whether it has arrived and was acknowledged.
        var sends = 0
        var hasArrived = false
        var isAcknowledged = false
        /// Whether its receiver has refused it individually.
        var isRefused = false
        /// Whether it was queued again: from quarantine, or because its drop was not stored.
        var isPutBack = false
        /// Whether its receiver has refused it alone and without a reason, since it was sent last.
        var isUnexplained = false
        /// Whether its lane has then sent a later event, and whether it may not be sent again, because a later event
        /// was sent or taken first.
        var isPassed = false
        var isOvertaken = false
        /// Whether its acknowledgement may not have been stored before the storage was suspended.
        var mayBeSentAgain = false
        var receipt: Receipt.Outcome?
        /// Whether a call of `storeBuffered` included it.
        var isStored = false
        /// Whether it was synced to disk by the end of its life or a later one.
        var isSynced = false
        /// Whether the quotas document switches it off.
        var isSwitchedOff: Bool
        /// Whether a completed erasure has deleted it.
        var isErased = false
        /// The reason for which it may be lost, or `nil` if it must not be lost.
        var excuse: String?
    }

    /// The consent decisions about a purpose.
    struct Words: Sendable {
        var last = Consent.granted
        var count = 0
        /// The life in which the last decision was made.
        var life = 0
        /// Whether the call for the last decision has returned, and whether it succeeded.
        var hasReturned = true
        var isDone = true
        /// Whether a denial may not be stored yet.
        ///
        /// The lane stays denied until it is stored, even after a later grant.
        var owes = false
        /// Whether a denial, or the app's default, is valid if the last decision cannot be stored.
        var mayBeDenied = false
        /// Whether a denial of this life will be applied at the opening.
        var isLeftToOpening = false
        /// The number of denials whose calls have not returned.
        var denialsUnderWay = 0
        /// The numbers of the first events after a completed denial.
        ///
        /// Earlier events are deleted permanently (`purged`), or, if the call has thrown, for this life (`refused`).
        var purged = 0
        var refused = 0
        /// Whether the process ended before the last decision could be stored.
        var isDoubtful = false
        /// Whether consent was granted at the beginning of this life and no decision was made since.
        var isSteady = true
    }

    struct Lane: Sendable {
        /// The events of each request in flight.
        var underWay: [Int: [Int]] = [:]
        /// The events of the requests that ended last, as many as can be in flight.
        var ended: [[Int]] = []
        /// The last event sent so far, for each life.
        var lastSent: [Int: Int] = [:]
        /// The unacknowledged events sent in this life.
        var unsettled: Set<Int> = []
        /// Whether its network has no faults now, and whether it has had none in this life.
        var isFair = true
        var isClean = true
        var isHeld = false
        var tracked = 0
        /// The counts of events reported by flushes as accepted and lost.
        var reported = 0
        var lost = 0
        var numbers: [String: Int] = [:]
        /// The beginning and end of the wait requested by its receiver.
        var wait: (begin: Int64, end: Int64)?
    }

    struct State: Sendable {
        var violations: [Violation] = []
        var events: [Event] = []
        var words = Lanes.purposes.map { _ in Words() }
        var lanes = (0..<Lanes.count).map { _ in Lane() }
        var serials: [String: Int] = [:]
        var bodies: [String: [UInt8]] = [:]
        var sessions: [Int: String] = [:]
        var epochs: [String: Int] = [:]
        var installations: [String: Int] = [:]
        var requests = 0
        var user = ""
        var session = 0
        var installation = 0
        var life = 0
        /// The first session of each life with the time at which the life began, and the last one with the time of its
        /// last event.
        ///
        /// The next life continues the last session within the timeout.
        var beginnings: [Int: (time: Int64, timeout: Duration?)] = [:]
        var lastSessions: [Int: Int64] = [:]
        /// The starts of sessions in this life, except the first one.
        var sessionStarts: [SessionStart] = []
        /// For each unit, the smallest share whose sample includes it, and the largest share whose sample excludes it.
        var samples: [SampledUnit: (included: Double, excluded: Double)] = [:]
        var exposures: Set<Exposure> = []
        /// The session that each session continues.
        var continuations: [Int: Int] = [:]
        /// Whether the wall clock has jumped, which also measures the pause of a restart.
        var hasJumped = false
        /// The endings of the earlier lives.
        var endings: [Story.Ending] = []
        var lastTrack: Int64 = 0
        /// Whether the engine is being opened, and whether the session is known.
        ///
        /// Its timeout applies from the opening on.
        var isOpening = false
        var isSessionKnown = true
        var settings = Settings()
        var isOpen = false
        var isClosing = false
        var hasClosed = false
        /// The time since which the disk has allowed storing events while the engine is open, and the time for any
        /// state of the engine.
        var fairSince: Int64 = .max
        var diskFairSince: Int64 { max(weatherFairSince, freeSince) }
        /// Whether stored denials may replace this process's grants, because it has waited for the directory.
        var mayBeReplaced = false
        /// The time since which the disk has not failed, and the time since which the directory has been free.
        private var weatherFairSince: Int64 = 0
        private var freeSince: Int64 = 0
        var suspension = Oracle.Suspension()
        var erasures: [Erasure] = []
        /// Whether events survive their process.
        var isStored = false
        /// Whether the disk has ever failed.
        ///
        /// Event numbers may then be repeated.
        var hasFailed = false
        /// Whether reads have ever failed.
        ///
        /// Any event may then count as damaged.
        var hasMisread = false
        /// Whether syncs have ever failed, and whether power was lost after that.
        ///
        /// The file then contains data of different times, because a later process cannot determine which data a failed
        /// sync has lost.
        var hasFailedToSync = false
        var isTorn = false
        /// The quotas document of the last call, the number of calls, whether the last one has been stored, and whether
        /// it was made in this life.
        var quotas = (document: 0, count: 0, isStored: true, isOfThisLife: false)
        /// The reasons for which events may have been dropped.
        var possibleLosses: Set<DropReason> = []
        /// The pending events of each lane after the last close, which the directory contains, or `nil` if unknown.
        var left: [LaneID: Int]?
    }

    private let state = Mutex(State())

    /// Creates an oracle without events.
    package init() {}

    /// The violations in the order of their detection, at most one for each promise.
    package var violations: [Violation] { state.withLock { $0.violations } }

    /// Records a violation.
    ///
    /// - Parameters:
    ///   - promise: The broken promise.
    ///   - detail: The observation.
    package func report(_ promise: Promise, _ detail: String) { state.withLock { $0.report(promise, detail) } }

    /// Reads or changes the model.
    func look<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}

extension Oracle.State {
    mutating func report(_ promise: Promise, _ detail: String) { violations.record(promise, detail) }

    // MARK: Callers

    /// Begins a life, which is another process.
    ///
    /// Its app remembers the user's decisions.
    mutating func begin(life number: Int, settings: Settings, now: Int64, isFair: Bool, isFree: Bool) {
        life = number
        self.settings = settings
        possibleLosses.formUnion(settings.possibleLosses)
        user = ""
        lastSessions[session] = lastTrack
        session += 1
        beginnings[session] = (now, settings.sessionTimeout)
        installation += 1
        installations = [:]
        lastTrack = now
        (isOpen, isOpening, isClosing, hasClosed, fairSince) = (false, false, false, false, .max)
        isSessionKnown = true
        (weatherFairSince, freeSince) = (isFair ? now : .max, isFree ? now : .max)
        mayBeReplaced = !isFree
        if !isFree { possibleLosses.insert(.bufferFull) }
        quotas.isOfThisLife = false
        release()
        suspension = Oracle.Suspension()
        if !isFair { forgetWaits() }
        for lane in lanes.indices {
            (lanes[lane].underWay, lanes[lane].isClean, lanes[lane].unsettled) = ([:], lanes[lane].isFair, [])
            (lanes[lane].reported, lanes[lane].lost, lanes[lane].numbers) = (0, 0, [:])
        }
        for number in events.indices {
            (events[number].isUnexplained, events[number].isPassed, events[number].isOvertaken) = (false, false, false)
        }
        for purpose in words.indices {
            if words[purpose].count == 0 {
                words[purpose].last = settings.assumedConsent
                words[purpose].mayBeDenied = false
            }
            // Without a stored decision, the app's default applies.
            if words[purpose].count == 0 || words[purpose].isDoubtful, settings.assumedConsent == .denied {
                words[purpose].mayBeDenied = true
            }
            words[purpose].refused = words[purpose].purged
            (words[purpose].isLeftToOpening, words[purpose].denialsUnderWay) = (false, 0)
            if words[purpose].last == .denied, isStored, !(isFair && isFree) { words[purpose].owes = true }
            // A stored denial replaces the app's repeated decision.
            if words[purpose].mayBeDenied, !isFree { words[purpose].owes = true }
            words[purpose].hasReturned = words[purpose].last == .denied
            words[purpose].isSteady = words[purpose].last == .granted
            if words[purpose].last == .denied { excuse("denied") { Lanes.purpose(of: $0.lane) == purpose } }
        }
    }

    /// The possibly unstored decisions, which an app must make again when it opens the engine.
    var rememberedConsent: [ConsentPurpose: Consent] {
        let doubtful = words.indices.filter { words[$0].isDoubtful }
        return Dictionary(uniqueKeysWithValues: doubtful.map { (Lanes.purposes[$0], words[$0].last) })
    }

    /// Ends a life.
    ///
    /// Stored events survive it, and others may be lost.
    mutating func end(by ending: Story.Ending, now: Int64) {
        for purpose in words.indices {
            words[purpose].isDoubtful =
                words[purpose].count > 0
                && !(words[purpose].hasReturned && words[purpose].isDone)
        }
        let (life, hasClosed, since) = (life, hasClosed, steadySince)
        let isSteady = since < .max
        endings.append(ending)
        if ending != .close { left = nil }
        if ending == .powerLoss {
            possibleLosses.insert(.corrupted)
            isTorn = isTorn || hasFailedToSync
            // A torn file may contain a batch's row of one time and its events of another.
            if isTorn { bodies = [:] }
        }
        let isUnsure = ending == .powerLoss || !isSteady || hasFailed || ending == .close && !hasClosed
        forgetWaits(since: isUnsure ? .min : now - 2_000_000_000)
        continueSessions(isUnsure: isUnsure, now: now)
        if ending == .powerLoss || !isSteady { restore() }
        for number in events.indices {
            let event = events[number]
            let wait = now - max(event.buffered, since)
            let isStrict = event.receipt == .stored && event.options.durability == .strict
            let isSynced = isStrict || event.isStored || isSteady && (hasClosed || wait > 3_500_000_000)
            // Unsynced events of a killed process are safe after a later process has opened the file.
            if isSynced, event.life == life || isSteady { events[number].isSynced = true }
        }
        excuse("\(ending)") { [hasFailedToSync] event in
            let wait = now - max(event.buffered, since)
            switch ending {
            case .close: return event.life == life && !(event.receipt == .stored || isSteady && hasClosed)
            case .kill:
                return event.life == life
                    && !(event.receipt == .stored || event.isStored || isSteady && wait > 1_500_000_000)
            case .powerLoss: return !event.isSynced || hasFailedToSync
            }
        }
    }

    /// Marks evicted events as queued again if their eviction may not have been stored.
    private mutating func restore() {
        guard !possibleLosses.isDisjoint(with: [.countBudget, .byteBudget, .expired]) else { return }
        for number in events.indices where events[number].sends == 0 { events[number].isPutBack = true }
    }

    private mutating func excuse(_ reason: String, where isLost: (Oracle.Event) -> Bool) {
        for number in events.indices where events[number].excuse == nil && isLost(events[number]) {
            events[number].excuse = reason
        }
    }

    /// Records a change of the disk's behavior.
    mutating func change(_ weather: DiskWeather, now: Int64) {
        // A failed disk is tried again after one minute at most.
        weatherFairSince = weather == .fair ? now + 70_000_000_000 : .max
        fairSince = isOpen && !isClosing ? diskFairSince : .max
        guard weather != .fair else { return }
        forgetSwitches()
        hinderDenials()
        for purpose in words.indices where words[purpose].mayBeDenied {
            excuse("denied") { [life] in $0.life == life && Lanes.purpose(of: $0.lane) == purpose }
        }
        // If the file cannot be opened, the waits that receivers requested are unknown.
        if !isOpen { forgetWaits() }
        hasFailed = true
        possibleLosses.insert(.bufferFull)
        if suspension.isPossible { discardChanges() }
        if weather == .failingSyncs { hasFailedToSync = true }
        guard weather == .failingReads else { return }
        hasMisread = true
        possibleLosses.insert(.corrupted)
    }

    /// Records that another process has released the directory, which is tried each second.
    mutating func freed(now: Int64) {
        freeSince = now + 3_000_000_000
        fairSince = isOpen && !isClosing ? diskFairSince : .max
    }

    /// Records the end of a freeze of the process.
    mutating func continued(now: Int64) {
        // A close returns at the end of its time, even if it could not store the last events because of the freeze.
        fairSince = isClosing ? .max : max(fairSince, now)
    }

    /// Records that deletions after a denial may no longer be possible.
    mutating func hinderDenials() {
        for purpose in words.indices where isStored {
            let isLeft = !isOpen && (words[purpose].isLeftToOpening || words[purpose].last == .denied)
            guard isLeft || words[purpose].denialsUnderWay > 0 else { continue }
            words[purpose].owes = true
            excuse("denied") { [life] in $0.life == life && Lanes.purpose(of: $0.lane) == purpose }
        }
    }

    /// Starts a session if the last one has ended, unless a scope has its own.
    mutating func noteActivity(in scope: Int?, now: Int64) {
        guard scope.flatMap(Scopes.session) == nil else { return }
        if let timeout = settings.sessionTimeout, now - lastTrack > timeout.nanoseconds {
            if isOpen { startSession(now: now) } else if isOpening { isSessionKnown = false }
        }
        lastTrack = max(lastTrack, now)
    }

    /// Returns the session of a scope's events, or `nil` if it is not known.
    ///
    /// The sessions of scopes are the same in each life, and have negative numbers.
    func currentSession(of scope: Int?) -> Int? {
        if let scope, Scopes.session(of: scope) != nil { return -scope }
        return isSessionKnown ? session : nil
    }

    /// Records a tracked event, in a scope or outside of scopes.
    ///
    /// Returns its number.
    mutating func track(
        lane: Int,
        _ options: TrackOptions,
        _ payload: Operation.Payload,
        scope: Int? = nil,
        now: Int64
    ) -> Int {
        let user = scope.map(Scopes.user) ?? user
        noteActivity(in: scope, now: now)
        for index in sessionStarts.indices where sessionStarts[index].stored == nil {
            sessionStarts[index].stored = now
        }
        let word = words[Lanes.purpose(of: lane)]
        let share = quotas.count == 0 ? settings.quotas.sampling["e\(events.count % 3)"] : nil
        let isSampledBySession = settings.quotas.samplingUnit == .session
        var event = Oracle.Event(
            lane: lane,
            life: life,
            session: currentSession(of: scope),
            // A scope without a device has one for its user, which is the same in each life.
            installation: scope.map { -1 - $0 % Users.count } ?? installation,
            user: user,
            tracked: now,
            buffered: now,
            options: options,
            payload: payload,
            share: isSampledBySession || words.allSatisfy { $0.count == 0 } ? share : nil,
            isSampledBySession: isSampledBySession,
            word: word.count,
            isGranted: word.last == .granted,
            isSwitchedOff: areQuotasInForce(at: now) && QuotasDocuments.switchesOff(events.count, in: quotas.document)
        )
        let isDenied = word.last == .denied || word.owes || word.mayBeDenied && diskFairSince > now
        if isClosing { event.excuse = "closing" } else if isDenied { event.excuse = "denied" }
        if event.excuse == nil, isErasing(user) { event.excuse = "erased" }
        if payload == .rule { event.excuse = "against a rule" }
        if event.isSwitchedOff { event.excuse = "switched off" }
        events.append(event)
        lanes[lane].tracked += 1
        return events.count - 1
    }

    /// Marks a lane as held.
    mutating func hold(lane: Int) { (lanes[lane].isHeld, lanes[lane].isClean) = (true, false) }

    /// Records that all lanes are released.
    mutating func release() {
        for lane in lanes.indices { lanes[lane].isHeld = false }
    }

    /// Records a quotas document at the time of its call.
    ///
    /// Returns the number of the call.
    mutating func setQuotas(_ number: Int, now: Int64) -> Int {
        for index in events.indices where events[index].life == life && events[index].receipt != .stored {
            if now - max(events[index].tracked, steadySince) < 1_500_000_000 { events[index].buffered = now }
        }
        // While the process waits for its directory, the stored document is not in effect yet, and this one replaces
        // it.
        forgetSwitches()
        quotas = (number, quotas.count + 1, false, true)
        possibleLosses.formUnion([.switchedOff, .sampledOut, .rateCapped])
        return quotas.count
    }

    /// Whether the last quotas document is certainly in effect, or will be before an event tracked now is stored.
    ///
    /// After an error of the disk, the engine tries again to read the stored document.
    private func areQuotasInForce(at now: Int64) -> Bool {
        quotas.isOfThisLife || quotas.isStored && (isOpen ? steadySince : diskFairSince) <= now
    }

    /// Records that events of this life may be stored before the stored quotas document is in effect.
    private mutating func forgetSwitches() {
        guard !quotas.isOfThisLife else { return }
        for number in events.indices where events[number].life == life { events[number].isSwitchedOff = false }
    }

    /// Records a decision at the time of its call.
    ///
    /// Returns its number.
    mutating func setConsent(_ consent: Consent, about purpose: Int) -> Int {
        words[purpose].count += 1
        (words[purpose].last, words[purpose].life) = (consent, life)
        (words[purpose].hasReturned, words[purpose].isDone) = (false, false)
        words[purpose].isSteady = false
        if consent == .granted {
            for number in events.indices where Lanes.purpose(of: events[number].lane) == purpose {
                events[number].isGranted = true
            }
        }
        if consent == .denied, isStored, steadySince == .max { words[purpose].owes = true }
        // A stored denial replaces the grants of a process that waits for the directory.
        if consent != .denied, mayBeReplaced, words[purpose].mayBeDenied { words[purpose].owes = true }
        guard consent == .denied else { return words[purpose].count }
        words[purpose].mayBeDenied = true
        words[purpose].denialsUnderWay += 1
        // An opening that has not returned deletes events that the last close has left.
        left = nil
        for number in events.indices where Lanes.purpose(of: events[number].lane) == purpose {
            if events[number].excuse == nil, !events[number].isAcknowledged { events[number].excuse = "denied" }
        }
        return words[purpose].count
    }

    /// Records the end of the call for a decision, by a return or an error.
    ///
    /// - Parameters:
    ///   - consent: The decision.
    ///   - number: Its number.
    ///   - purpose: The purpose.
    ///   - before: The number of the first event after the call.
    ///   - isDone: Whether the decision is stored.
    mutating func returned(_ consent: Consent, _ number: Int, about purpose: Int, said before: Int, isDone: Bool) {
        if consent == .denied {
            words[purpose].denialsUnderWay -= 1
            words[purpose].refused = max(words[purpose].refused, before)
            if isDone { words[purpose].purged = max(words[purpose].purged, before) }
        }
        // A closed engine, or an engine that is not open yet, deletes nothing.
        if isDone, !isClosing, isOpen || !isStored { (words[purpose].owes, mayBeReplaced) = (false, false) }
        if !isDone, consent == .denied { (words[purpose].owes, words[purpose].isLeftToOpening) = (true, !isOpen) }
        guard words[purpose].count == number else { return }
        // Decisions before the opening are stored by the opening.
        (words[purpose].hasReturned, words[purpose].isDone) = (true, isDone && (isOpen || !isStored))
        if consent != .denied, words[purpose].isDone { words[purpose].mayBeDenied = false }
        guard consent == .denied else { return }
        for lane in lanes.indices where Lanes.purpose(of: lane) == purpose && !lanes[lane].underWay.isEmpty {
            report(.consentUnderWay, "lane \(lane)")
        }
    }
}
