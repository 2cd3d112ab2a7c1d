import CoreTracker
import EventOutbox
import EventQuotas
import EventTracking

/// A component that applies the user's decisions about consent and erasures to the stored events, and stores them.
///
/// All of them are in one row of the queue file, ``StateRow``. A denial moves the start of its lanes behind their events,
/// so the events are out of the queue with one row for each lane. An erasure of a user names the user: the user's events
/// are hidden from then on. The ``Cleaner`` removes the bytes. A decision is always applied in memory. If the disk
/// refuses it, it is stored with the next decision or commit. The component is confined to the store's executor.
final class Decisions {
    private let state: DeliveryState
    /// The installation's id of all events tracked before the opening, even if a reset followed.
    private(set) var installationAtOpening = ""
    /// The disk's error for the last refused decisions.
    private var lastFailure = OutboxError.notOpen
    /// Whether the configuration's denials are applied.
    private var isConfigurationApplied = false
    /// This process's decisions replaced by another process's denial when the directory was opened, each with the number
    /// of this process's last call at that time.
    private var replaced: [PrivacyDecision.Kind: UInt64] = [:]

    init(_ state: DeliveryState) {
        self.state = state
    }

    private var configuration: DeliveryConfiguration { state.configuration }
    private var buffer: EventBuffer { state.buffer }

    private var served: [ServedLane] {
        configuration.destinations.map { ServedLane($0.lane, purpose: $0.purpose, updates: $0.updates) }
    }

    // MARK: Opening

    /// Applies the decisions of this process until the directory can be opened.
    func awaitDirectory() {
        buffer.awaitDirectory(serving: served, denied: configuration.deniedPurposes)
        // The stored installation id is not known yet.
        buffer.quotas.configure(configuration.quotas)
        buffer.acceptEvents(sessions: configuration.sessions, deviceID: "")
    }

    /// Completes the decisions of a newly opened outbox, and applies this process's decisions.
    ///
    /// - Parameter isForeign: Whether another process may have used the directory while this process had to wait.
    func resolve(isForeign: Bool) {
        var change = LaneChange()
        state.exchange.continueNumbers(&state.row)
        dropLost(&change)
        let stored = Set(state.row.decisions.compactMap { $1.consent == .denied ? ConsentPurpose($0) : nil })
        let denials = isConfigurationApplied ? [] : configuration.denials(beside: state.row)
        replaced.merge(
            buffer.prepareDecisions(overruling: isForeign ? stored : [], denying: denials),
            uniquingKeysWith: max
        )
        restoreIdentity()
        state.row.generation = buffer.runtime.random()
        change.outbox.save(state.row)
        state.commit(change)
        buffer.dropDenied(stored.union(denials), serving: served)
        let calls = buffer.unappliedDecisions
        if calls.isEmpty { accept(through: 0) } else { apply(calls) }
        isConfigurationApplied = true
        changePurposes()
        buffer.served.call()
        buffer.quotas.configure(configuration.quotas)
        buffer.acceptEvents(sessions: configuration.sessions, deviceID: installationAtOpening)
        updateState()
        reportAssumedConsents()
    }

    /// Drops the events that may be denied or erased, because damage has lost the row that says so.
    private func dropLost(_ change: inout LaneChange) {
        let isLost = state.isRowLost
        for index in state.lanes.indices where isLost || state.row.isUnclean && state.lanes[index].stored.isDamaged {
            state.empty(lane: index, .corrupted, change: &change)
        }
        guard isLost else { return }
        (state.isRowLost, state.row.isUnclean) = (false, true)
        let purposes = configuration.destinations.map(\.purpose.name) + state.lanes.rows.map(\.purpose)
        for purpose in Set(purposes).sorted(by: \.self) where !purpose.isEmpty {
            // The purpose is unknown until the app decides again.
            state.row.decisions[purpose] = StateRow.Decision(.unknown)
            change.diagnostics.append(.consentLost(ConsentPurpose(purpose)))
        }
    }

    /// Uses the purposes of the destinations for the stored events of an earlier version of the app.
    ///
    /// If the user does not agree to both purposes, the events are dropped.
    private func changePurposes() {
        var change = LaneChange()
        for index in state.lanes.indices {
            let lane = state.lanes[index]
            guard let purpose = lane.destination?.purpose, lane.stored.purpose != purpose.name else { continue }
            let isKnown = !lane.stored.purpose.isEmpty
            let purposes = [purpose, ConsentPurpose(lane.stored.purpose)]
            if isKnown, !purposes.allSatisfy({ configuration.consent(for: $0, in: state.row) == .granted }) {
                state.empty(lane: index, .consentDenied, change: &change)
            }
            state.lanes[index].stored.purpose = purpose.name
            change.outbox.save(state.lanes[index].stored)
        }
        if !change.isEmpty { state.commit(change) }
    }

    private func reportAssumedConsents() {
        guard configuration.defaultConsent == .granted else { return }
        for purpose in Set(configuration.destinations.map(\.purpose))
        where configuration.consent[purpose] == nil && state.row.decisions[purpose.name] == nil {
            buffer.diagnostics.send(.consentAssumed(purpose))
        }
    }

    // MARK: Applying

    /// The disk's error for the last decisions, or `nil` if all are stored.
    var failure: OutboxError? { state.storage.outbox.hasRefused ? lastFailure : nil }

    /// Whether another process's denial has replaced a decision of this process.
    ///
    /// - Parameter decision: The decision.
    func isReplaced(_ decision: PrivacyDecision) -> Bool { decision.number <= replaced[decision.kind] ?? 0 }

    /// Whether a call is not applied yet.
    var isBehind: Bool { !buffer.unappliedDecisions.isEmpty }

    /// Whether a decision of the user waits for the directory or for the disk.
    var isPressing: Bool {
        guard case .inMemory(_?, _) = state.storage.state else {
            return buffer.withLanes { !$0.privacy.unstored.isEmpty }
        }
        return !state.row.decisions.isEmpty
    }

    /// Applies the calls that are not applied yet, and stores them if the disk accepts them.
    ///
    /// - Parameter isCalled: Whether the app waits for the result, so decisions refused by the disk are tried again.
    func apply(isCalled: Bool = false) {
        guard state.isOpen else { return }
        let calls = buffer.unappliedDecisions
        if !calls.isEmpty {
            apply(calls)
        } else if isCalled, state.storage.outbox.hasRefused {
            store()
        }
    }

    private func apply(_ calls: [PrivacyDecision]) {
        var change = LaneChange()
        let (keptIdentity, wasDenied) = (keepsIdentity && state.row.installation != nil, isAllDenied)
        for call in calls { apply(call, &change) }
        state.row.followed = max(state.row.followed, state.exchange.followed)
        if keptIdentity && !keepsIdentity || !wasDenied && isAllDenied { forgetInstallation() }
        state.row = changedState() ?? state.row
        change.outbox.save(state.row)
        state.storage.outbox.decide(change.outbox)
        store()
        // Without the directory, the next opening applies the calls again.
        guard state.isOpen else { return state.announce(change) }
        accept(through: calls.last?.number ?? 0)
        for events in change.settled { state.journal.forget(events.lane) }
        state.announce(change)
        state.publishAll()
    }

    private func apply(_ call: PrivacyDecision, _ change: inout LaneChange) {
        state.row.number += 1
        switch call.kind {
        case .consent(let purpose, let consent):
            // A denial by the default is not the user's.
            if call.number > 0 || configuration.consent[purpose] != nil {
                let denial = consent == .denied ? state.row.number : state.row.decisions[purpose.name]?.denial ?? 0
                state.row.decisions[purpose.name] = StateRow.Decision(consent, denial: denial)
            }
            guard consent == .denied else { return }
            for index in state.lanes.indices where state.lanes[index].hasPurpose(purpose.name) {
                state.empty(lane: index, .consentDenied, change: &change)
            }
        case .erasure(let user?):
            state.row.erasing[user] = state.row.number
            state.storage.receipts.lose(.erased) { $0.user == user }
        case .erasure(nil):
            state.row.erasing[nil] = state.row.number
            for index in state.lanes.indices { state.empty(lane: index, .erased, change: &change) }
            for events in change.settled where events.dropReason == .erased { state.countErased(events.count, of: nil) }
        }
        (state.row.isUnclean, state.lastCovering) = (true, state.row.number)
    }

    /// Stores the decisions that the disk has not accepted yet.
    func store() {
        do throws(OutboxError) {
            try state.storage.commitDecisions()
        } catch {
            lastFailure = error
            state.handle(error)
            // The writer tries again sooner than without a decision.
            buffer.wake.signal()
        }
        guard state.isOpen, failure == nil else { return }
        buffer.forgetStoredDecisions()
        if !state.storage.mayContainLost {
            state.storage.receipts.completeLost([.consentDenied, .erased])
        }
        state.writeCheckpoint()
        try? state.publishDecisions()
    }

    /// Makes the decisions of the store take effect for new events.
    private func accept(through number: UInt64) {
        buffer.accept(
            configuration.consents(in: state.row),
            fallback: configuration.defaultConsent,
            through: number,
            isStored: failure == nil,
            erasing: state.row.erasing.count
        )
    }

    /// Applies the app's decisions, if this engine is an extension's.
    func follow() {
        let lackedDecisions = state.exchange.lacksDecisions
        for kind in state.exchange.newDecisions(state.row) {
            switch kind {
            case .consent(let purpose, let consent): buffer.decide(consent, about: purpose)
            case .erasure(let user): _ = buffer.erase(user)
            }
        }
        apply(isCalled: true)
        if lackedDecisions, !state.exchange.lacksDecisions { state.publishAll() }
        if let id = state.exchange.installation, keepsIdentity {
            installationAtOpening = id
            buffer.identity.change { $0.deviceID = id }
            updateState()
        }
    }

    // MARK: Installation and session

    /// Whether the installation and the session are stored: unless the user denies all known purposes.
    private var keepsIdentity: Bool {
        let isDenied = { [row = state.row, configuration] in configuration.consent(for: $0, in: row) == .denied }
        guard configuration.destinations.allSatisfy({ isDenied($0.purpose) }) else { return true }
        let names = state.lanes.rows.map(\.purpose) + Array(state.row.decisions.keys)
        let others = names.filter { !$0.isEmpty }.map { ConsentPurpose($0) }
        return configuration.destinations.isEmpty && others.isEmpty || !others.allSatisfy(isDenied)
    }

    /// Whether the user, not only `defaultConsent`, denies the purposes of all destinations.
    ///
    /// Without destinations, the purposes are those with a stored decision.
    private var isAllDenied: Bool {
        let stored = state.row.decisions.keys.map { ConsentPurpose($0) }
        let purposes = configuration.destinations.isEmpty ? stored : configuration.destinations.map(\.purpose)
        return !purposes.isEmpty
            && purposes.allSatisfy {
                (state.row.decisions[$0.name]?.consent ?? configuration.consent[$0]) == .denied
            }
    }

    /// Uses the stored installation and session, or the configuration's installation, or creates one.
    private func restoreIdentity() {
        if let stored = state.row.installation {
            installationAtOpening = stored
        } else if installationAtOpening.isEmpty {
            let given = isAllDenied ? nil : configuration.installation?.text
            installationAtOpening = given ?? buffer.runtime.makeInstallationID()
        }
        let clock = buffer.clock
        buffer.identity.resume(
            state.row.session,
            by: configuration.sessions,
            at: clock.monotonicTime(),
            clock.wallTime()
        )
        buffer.identity.change { if $0.deviceID.isEmpty { $0.deviceID = installationAtOpening } }
    }

    /// Replaces the installation.
    ///
    /// If a reset happened since the opening, events from before and after it get different ids.
    private func forgetInstallation() {
        let isReset = installation != installationAtOpening
        let id = buffer.runtime.makeInstallationID()
        installationAtOpening = isReset ? buffer.runtime.makeInstallationID() : id
        buffer.identity.change { $0.deviceID = id }
    }

    /// The current installation.
    private var installation: String {
        let id = buffer.identity.value.deviceID
        return id.isEmpty ? installationAtOpening : id
    }

    /// The row of the state with the current installation and session, or `nil` if nothing has changed.
    ///
    /// - Parameter isExact: Whether to include a recent change of the session's last activity.
    func changedState(isExact: Bool = false) -> StateRow? {
        var row = state.row
        identify(&row, isExact: isExact)
        return row == state.row ? nil : row
    }

    /// Sets the installation and the session.
    private func identify(_ row: inout StateRow, isExact: Bool = false) {
        let isKept = keepsIdentity
        let clock = buffer.clock
        row.installation = isKept ? installation : nil
        let session = buffer.identity.storable(
            after: row.session,
            at: clock.monotonicTime(),
            clock.wallTime(),
            isExact: isExact
        )
        row.session = isKept ? session.flatMap { $0.isStorable ? $0 : nil } : nil
    }

    /// Stores the current installation and session, if they have changed.
    func updateState() {
        guard state.isOpen, let row = changedState(isExact: true) else { return }
        var change = OutboxChange()
        change.save(row)
        state.row = row
        state.record(change)
    }
}

/// The configuration's decisions beside the stored ones.
extension DeliveryConfiguration {
    /// The purposes denied by the configuration.
    var deniedPurposes: [ConsentPurpose] {
        consent.compactMap { $1 == .denied ? $0 : nil }.sorted(by: \.name)
    }

    /// Returns the user's and the configuration's decisions, by purpose.
    fileprivate func consents(in row: StateRow) -> [ConsentPurpose: Consent] {
        var consents = consent
        for (purpose, decision) in row.decisions { consents[ConsentPurpose(purpose)] = decision.consent }
        return consents
    }

    /// Returns the decision about a purpose.
    fileprivate func consent(for purpose: ConsentPurpose, in row: StateRow) -> Consent {
        row.decisions[purpose.name]?.consent ?? consent[purpose] ?? defaultConsent
    }

    /// Returns the purposes denied by the configuration, except purposes already stored as denied.
    ///
    /// An explicit denial in `consent` replaces a stored decision. A denial by `defaultConsent` does not.
    fileprivate func denials(beside row: StateRow) -> [ConsentPurpose] {
        Set(destinations.map(\.purpose)).union(deniedPurposes)
            .filter { purpose in
                let stored = row.decisions[purpose.name]?.consent
                return stored != .denied
                    && (consent[purpose] == .denied || stored == nil && consent(for: purpose, in: row) == .denied)
            }
            .sorted(by: \.name)
    }
}
