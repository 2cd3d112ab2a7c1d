import CoreTracker
import EventDeliveryAPI
import EventOutbox
import EventQuotas

/// A component that stores the user's decisions about consent and erasures, and applies them to the stored events.
///
/// They are rows of the tables `decision` and `erasure` of the queue file, as `ConsentAndErasureRows.swift` of
/// EventOutbox describes. A denial or an erasure is one small transaction: its row, the ledgers of the lanes, and the
/// decision number whose deletion is pending. From then on the covered events do not exist, and ``EventDeletion``
/// removes their bytes. The component is confined to the store's executor.
final class DecisionStore {
    /// The maximum number of erasures whose counts are kept: as many as can wait to be stored.
    private static let maximumCounts = CurrentDecisions.maximum

    private let state: DeliveryState
    private var installation: Installation
    /// The disk's error for the last decisions, or `nil` if all are stored.
    private(set) var failure: OutboxError?
    private var backoff = StorageBackoff()
    private var retryAt = MonotonicInstant(nanoseconds: .min)
    /// The decision number of the configuration's denials, in the stored form, or `nil` if there are none.
    private var configurationNumber: UInt64?
    /// Whether the configuration's denials are stored.
    private var isConfigurationStored = false
    /// This process's decisions replaced by a stored decision when the directory was opened, each with the decision
    /// number of this process's last call at that time.
    private var replaced: [PrivacyDecision.Kind: UInt64] = [:]
    /// The number of events covered by each erasure, until its caller asks for it.
    private var erasedCounts: [UInt64: Int] = [:]

    init(_ state: DeliveryState) {
        self.state = state
        installation = Installation(makeID: state.buffer.runtime.makeInstallationID)
    }

    private var configuration: DeliveryConfiguration { state.configuration }

    private var served: [ServedLane] {
        configuration.destinations.map { ServedLane($0.lane, purpose: $0.purpose, updates: $0.updates) }
    }

    /// The installation's id for events tracked before the opening.
    var installationAtOpening: String { installation.opened }

    /// Applies the decisions of this process until the directory can be opened.
    func awaitDirectory() {
        state.buffer.awaitDirectory(serving: served, denied: configuration.deniedPurposes)
        // The stored installation id is not known yet.
        state.buffer.quotas.configure(configuration.quotas)
        state.buffer.acceptEvents(sessions: configuration.sessions, deviceID: "")
    }

    /// Completes the decisions of a newly opened outbox, and applies this process's decisions.
    func reconcile() {
        var next = DecisionChange(state)
        state.exchange.continueNumbers(&next.rows)
        let reconciled = DecisionReconciler(
            next.rows,
            configuration: configuration,
            lanes: state.lanes.queues,
            isConfigurationStored: isConfigurationStored
        )
        next.rows = reconciled.rows
        for row in reconciled.lost {
            next.change.diagnostics.append(.consentLost(ConsentPurpose(row.purpose)))
            if row.denial > 0 { next.void(row.purpose, below: row.denial) }
        }
        if let erasure = reconciled.lostErasure {
            var erased = next
            if (try? erased.eraseAll(below: erasure)) != nil { next = erased }
        }
        let (number, denials) = (reconciled.rows.number, reconciled.denials)
        replaced.merge(
            state.buffer.continueNumbers(
                after: number,
                overruling: reconciled.decisions(deniedAfter: state.released.seenNumber),
                denying: denials
            ),
            uniquingKeysWith: max
        )
        configurationNumber = denials.isEmpty ? nil : number
        let given = configuration.deniesAll(in: next.rows, isExplicit: true) ? nil : configuration.installation?.text
        installation.restore(next.rows.state.installation, else: given)
        let (buffer, clock) = (state.buffer, state.buffer.clock)
        buffer.identity.resume(
            next.rows.state.session,
            by: configuration.sessions,
            at: clock.monotonicTime(),
            clock.wallTime()
        )
        state.buffer.identity.change { if $0.deviceID.isEmpty { $0.deviceID = installation.opened } }
        next.saveRows()
        state.use(next.lanes, next.rows, removing: next.change.outbox.removedQuarantined)
        state.commit(next.change)
        apply(state.buffer.unstoredDecisions)
        let denied = reconciled.rows.decisions.filter { $0.consent == .denied }.map { ConsentPurpose($0.purpose) }
        state.buffer.applyStoredDecisions(
            configuration.consents(in: state.privacy),
            fallback: configuration.defaultConsent,
            denied: Set(denied + denials),
            through: failure == nil ? state.privacy.number : nil,
            serving: served
        )
        state.buffer.quotas.configure(configuration.quotas)
        state.buffer.acceptEvents(sessions: configuration.sessions, deviceID: installation.opened)
        updateState()
        reportAssumedConsents()
    }

    private func reportAssumedConsents() {
        guard configuration.defaultConsent == .granted else { return }
        for purpose in Set(configuration.destinations.map(\.purpose))
        where configuration.consent[purpose] == nil
            && state.privacy.decision(about: purpose.name)?.isDefault == true
        {
            state.buffer.diagnostics.send(.consentAssumed(purpose))
        }
    }

    // MARK: Applying

    /// Whether a stored decision has replaced a decision of this process.
    ///
    /// - Parameter decision: The decision, with its decision number in this process.
    func isReplaced(_ decision: PrivacyDecision) -> Bool { decision.number <= replaced[decision.kind] ?? 0 }

    /// Returns the number of events covered by an erasure, once.
    ///
    /// - Parameter number: The decision number of the erasure, in the stored form.
    func erasedCount(of number: UInt64) -> Int { erasedCounts.removeValue(forKey: number) ?? 0 }

    /// Adds to the number of events covered by an erasure.
    ///
    /// - Parameters:
    ///   - count: The number of events.
    ///   - number: The decision number of the erasure, in the stored form.
    func countErased(_ count: Int, by number: UInt64) {
        // No caller waits for the count of an erasure requested before the opening.
        if erasedCounts[number] == nil, erasedCounts.count >= DecisionStore.maximumCounts,
            let first = erasedCounts.keys.min()
        {
            erasedCounts[first] = nil
        }
        erasedCounts[number, default: 0] += count
    }

    /// Whether a decision is not stored yet.
    var isBehind: Bool { state.buffer.withLanes { !$0.privacy.unstored.isEmpty } }

    /// Whether a decision of the user waits for the directory.
    var isPressing: Bool {
        guard case .inMemory(_?, _) = state.storage.state else { return isBehind }
        return state.privacy.decisions.contains { !$0.isDefault }
    }

    /// The time of the next attempt to store the unstored decisions, or `nil` if there are none or if the storage
    /// refuses all changes.
    var due: MonotonicInstant? { isBehind && state.storage.state.acceptsChanges ? retryAt : nil }

    /// Stores and applies the unstored decisions.
    ///
    /// If the disk has refused them, the next call of the app tries again, and so does the writer after a back-off.
    ///
    /// - Parameter isCalled: Whether the app waits for the result.
    func applyUnstored(isCalled: Bool = false) {
        let isDue = due.map { $0 <= state.buffer.clock.monotonicTime() } ?? (failure == nil)
        guard state.isOpen, isBehind, isCalled || isDue else { return }
        apply(state.buffer.unstoredDecisions)
        state.buffer.accept(
            configuration.consents(in: state.privacy),
            fallback: configuration.defaultConsent,
            through: failure == nil ? state.privacy.number : nil
        )
        state.publish(state.lanes.indices)
    }

    /// Applies the app's decisions, if this engine is an extension's.
    func follow() {
        let lackedDecisions = state.exchange.lacksDecisions
        let kinds = state.exchange.newDecisions(state.privacy)
        for kind in kinds {
            switch kind {
            case .consent(let purpose, let consent): state.buffer.decide(consent, about: purpose)
            case .erasure(let user): _ = state.buffer.erase(user)
            }
        }
        applyUnstored(isCalled: true)
        if lackedDecisions, !state.exchange.lacksDecisions { state.publish(state.lanes.indices) }
        if let id = state.exchange.installation, !configuration.deniesAll(in: state.privacy) {
            installation.restore(id)
            state.buffer.identity.change { $0.deviceID = id }
            updateState()
        }
    }

    /// Stores and applies decisions in one transaction.
    ///
    /// If the disk refuses it, nothing changes, and ``failure`` has the reason.
    ///
    /// - Parameter decisions: The decisions, in their order.
    private func apply(_ decisions: [PrivacyDecision]) {
        guard !decisions.isEmpty else {
            (failure, isConfigurationStored) = (nil, true)
            return
        }
        var next = DecisionChange(state)
        let erased: [UInt64: Int]
        let receipts = state.storage.receipts
        do throws(OutboxError) {
            erased = try add(decisions, to: &next)
            let denied = [state.privacy, next.rows].map { configuration.deniesAll(in: $0, isExplicit: true) }
            let forgets =
                next.rows.state.installation == nil
                && (state.privacy.state.installation != nil || denied == [false, true])
            loseReceipts(decisions)
            try state.storage.commitDecision(next.change.outbox, barrier: true) { file throws(OutboxError) in
                var part = try DecisionChange(state, file: file)
                _ = try add(decisions, to: &part)
                return part.change.outbox
            }
            state.use(next.lanes, next.rows, removing: next.change.outbox.removedQuarantined)
            (failure, isConfigurationStored) = (nil, true)
            for (number, count) in erased where count > 0 { countErased(count, by: number) }
            backoff.succeeded()
            retryAt = MonotonicInstant(nanoseconds: .min)
            if forgets {
                let id = installation.forget(state.buffer.identity.value)
                state.buffer.identity.change { $0.deviceID = id }
            }
        } catch {
            state.storage.receipts = receipts
            failure = error
            retryAt = backoff.failed(error, at: state.buffer.clock.monotonicTime())
            return state.handle(error)
        }
        state.storage.writeCheckpoint(state.lanes.rows, number: state.privacy.number)
        try? state.publishDecisions()
        for events in next.change.settled { state.journal.forget(events.lane) }
        state.announce(next.change)
        state.publish(state.lanes.indices)
    }

    /// Adds decisions to a change, with the rows that follow from them.
    ///
    /// Returns the number of events covered by each erasure, by its decision number.
    private func add(
        _ decisions: [PrivacyDecision],
        to next: inout DecisionChange
    ) throws(OutboxError) -> [UInt64: Int] {
        let erased = try next.apply(decisions) { decision in
            let configured = decision.purpose.flatMap { configuration.consent[$0] }
            return decision.number == configurationNumber && configured == nil
        }
        next.rows.state.number = max(next.rows.number, decisions.last?.number ?? 0)
        next.rows.state.decisions = next.rows.decisions.count
        next.rows.state.erasures = next.rows.erasures.count
        next.rows.state.followed = max(next.rows.state.followed, state.exchange.followed)
        identify(&next.rows)
        next.saveRows()
        return erased
    }

    /// Changes the outcome of receipts that wait until their events are stored.
    private func loseReceipts(_ decisions: [PrivacyDecision]) {
        for decision in decisions {
            guard case .consent(let purpose, .denied) = decision.kind else { continue }
            state.storage.receipts.lose(.consentDenied) { [lanes = state.lanes] entry in
                entry.decision < decision.number && lanes[entry.lane].hasPurpose(purpose.name)
            }
        }
        let erasures = PrivacyRows(erasures: decisions.compactMap(\.erasure))
        if !erasures.erasures.isEmpty {
            state.storage.receipts.lose(.erased) { entry in erasures.isErased(entry.user, entry.decision) }
        }
    }

    // MARK: Installation and session

    /// The row of the state with the current installation and session, or `nil` if nothing has changed.
    ///
    /// - Parameter isExact: Whether to include a recent change of the session's last activity.
    func changedState(isExact: Bool = false) -> PrivacyStateRow? {
        var rows = state.privacy
        identify(&rows, isExact: isExact)
        return rows.state == state.privacy.state ? nil : rows.state
    }

    /// Sets the installation and the session, which are stored unless the user denies all purposes.
    private func identify(_ rows: inout PrivacyRows, isExact: Bool = false) {
        let isKept = !configuration.deniesAll(in: rows)
        let (buffer, clock) = (state.buffer, state.buffer.clock)
        rows.state.installation = isKept ? installation.current(buffer.identity.value) : nil
        let session = buffer.identity.storable(
            after: rows.state.session,
            at: clock.monotonicTime(),
            clock.wallTime(),
            isExact: isExact
        )
        rows.state.session = isKept ? session.flatMap { $0.isStorable ? $0 : nil } : nil
    }

    /// Stores the current installation and session, if they have changed.
    func updateState() {
        guard state.isOpen, let row = changedState(isExact: true) else { return }
        var (rows, change) = (state.privacy, OutboxChange())
        rows.state = row
        change.save(row)
        state.use(state.lanes.queues, rows)
        state.record(change)
    }
}
