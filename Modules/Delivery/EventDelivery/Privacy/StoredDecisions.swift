import CoreTracker
import EventBuffer
import EventOutbox

/// A component that stores the user's decisions and erasures, and applies them to the stored events.
///
/// A denial or an erasure is one small transaction: its row, the ledgers of the lanes, and the decision number whose
/// deletion is pending. From then on the covered events do not exist, and ``EventDeletion`` removes their bytes. The
/// component is confined to the store's executor.
final class StoredDecisions {
    /// The maximum number of erasures whose counts are kept.
    private static let maximumCounts = 256

    private let store: StoreState
    private var installation: Installation
    /// The error that the disk returned for the last decisions, or `nil` if all are stored.
    private(set) var failure: OutboxError?
    private var backoff = StorageBackoff()
    private var retryAt = MonotonicInstant(nanoseconds: .min)
    /// The decision number of the configuration's denials, in the stored form, or `nil` if there are none.
    private var configurationNumber: UInt64?
    /// Whether the configuration's denials are stored.
    private var isConfigurationStored = false
    /// This process's decisions that a stored decision replaced when the directory was opened, each with the decision
    /// number of this process's last call at that time.
    private var replaced: [PrivacyDecision.Kind: UInt64] = [:]
    /// The number of events that each erasure has covered, until its caller asks for it.
    private var erasedCounts: [UInt64: Int] = [:]

    init(_ store: StoreState) {
        self.store = store
        let runtime = store.buffer.runtime
        installation = Installation {
            var random = runtime.generator
            return Identity.makeDeviceID(using: &random)
        }
    }

    private var configuration: DeliveryConfiguration { store.configuration }

    private var served: [ServedLane] {
        configuration.destinations.map { ServedLane($0.lane, purpose: $0.purpose, updates: $0.updates) }
    }

    /// The installation's id for events that were tracked before the opening.
    var installationAtOpening: String { installation.opened }

    /// Applies the decisions of this process until the directory can be opened.
    func awaitDirectory() {
        store.buffer.awaitDirectory(serving: served, denied: configuration.deniedPurposes)
        // The stored installation id is not known yet.
        store.buffer.open(limits: configuration.limits, sessionTimeout: configuration.sessionTimeout, deviceID: "")
    }

    /// Completes the decisions of an outbox that was just opened, and applies those of this process.
    func open() {
        var change = LaneChange()
        store.exchange.continueNumbers(&store.privacy)
        addMissingDecisions(change: &change)
        updateDefaults(change: &change)
        coverLostErasures(change: &change)
        let earlier = store.privacy
        // A later grant of this run replaces the configuration's denial.
        let denials = isConfigurationStored ? [] : deniedByConfiguration(in: earlier)
        let unseen = earlier.decisions.filter { $0.denial > store.seenNumber }.map { ConsentPurpose($0.purpose) }
        let overruling = Dictionary(unseen.map { ($0, consent(for: $0, in: earlier)) }) { first, _ in first }
        // The configuration's denials precede the calls of this process.
        let base = earlier.number + (denials.isEmpty ? 0 : 1)
        replaced.merge(
            store.buffer.continueNumbers(after: base, overruling: overruling, denying: denials),
            uniquingKeysWith: max
        )
        configurationNumber = denials.isEmpty ? nil : base
        installation.open(store.privacy.state.installation)
        store.privacy.state.number = base
        store.buffer.identity.change { if $0.deviceID.isEmpty { $0.deviceID = installation.opened } }
        change.outbox.state = store.privacy.state
        store.apply(change)
        apply(store.buffer.unstoredDecisions)
        let denied = Set(earlier.decisions.lazy.filter { $0.consent == .denied }.map { ConsentPurpose($0.purpose) })
        store.buffer.open(
            consents(in: store.privacy),
            fallback: configuration.defaultConsent,
            denied: denied.union(denials),
            through: failure == nil ? store.privacy.number : nil,
            serving: served
        )
        store.buffer.open(
            limits: configuration.limits,
            sessionTimeout: configuration.sessionTimeout,
            deviceID: installation.opened
        )
        updateState()
        reportAssumedConsents()
    }

    /// Adds a row for each purpose that has none, so a missing row is damage.
    ///
    /// If rows are damaged, a purpose without a row is unknown until the app decides again. Its events are deleted if a
    /// deletion may have been pending.
    private func addMissingDecisions(change: inout LaneChange) {
        let isDamaged = store.privacy.lacksDecisions
        let isClean = store.privacy.isClean
        let purposes = configuration.destinations.map(\.purpose.name) + store.lanes.queues.map(\.stored.purpose)
        let missing = Set(purposes).filter { !$0.isEmpty && store.privacy.decision(about: $0) == nil }
        var number = store.privacy.number
        if isDamaged, !missing.isEmpty { number += 1 }
        for purpose in missing.sorted() {
            let assumed = configuration.assumedConsent(for: ConsentPurpose(purpose))
            // A denial is applied like a call.
            var decision = StoredDecision(
                purpose: purpose,
                consent: assumed == .denied ? .unknown : assumed,
                isDefault: true
            )
            if isDamaged {
                decision = StoredDecision(
                    purpose: purpose,
                    consent: .unknown,
                    number: number,
                    denial: isClean ? 0 : number
                )
                change.diagnostics.append(.consentLost(ConsentPurpose(purpose)))
                if !isClean { void(purpose, below: number, &store.lanes, &change) }
            }
            store.privacy.decisions.append(decision)
            change.outbox.decisions.append(decision)
        }
        store.privacy.state.number = number
        if isDamaged, !isClean { store.privacy.state.scrub = max(1, number) }
        store.privacy.isStateLost = false
        store.privacy.state.decisions = store.privacy.decisions.count
    }

    /// Erases all users' events if the row of a pending erasure is damaged.
    private func coverLostErasures(change: inout LaneChange) {
        guard store.privacy.lacksErasures else { return }
        let erasure = StoredErasure(number: store.privacy.state.scrub, user: nil)
        var (rows, lanes) = (store.privacy, store.lanes)
        guard (try? erase(erasure, &rows, &lanes, &change)) != nil else { return }
        (store.privacy, store.lanes) = (rows, lanes)
    }

    private func reportAssumedConsents() {
        guard configuration.defaultConsent == .granted else { return }
        for purpose in Set(configuration.destinations.map(\.purpose))
        where configuration.consent[purpose] == nil
            && store.privacy.decision(about: purpose.name)?.isDefault == true
        {
            store.diagnostics.send(.consentAssumed(purpose))
        }
    }

    // MARK: Decisions in effect

    /// Returns the decision about each purpose that the user or the configuration has decided about.
    private func consents(in rows: PrivacyRows) -> [ConsentPurpose: Consent] {
        var consents = configuration.consent
        for decision in rows.decisions {
            if !decision.isDefault { consents[ConsentPurpose(decision.purpose)] = decision.consent }
        }
        return consents
    }

    private func consent(for purpose: ConsentPurpose, in rows: PrivacyRows) -> Consent {
        let decision = rows.decision(about: purpose.name)
        return decision?.isDefault == false ? decision?.consent ?? .unknown : configuration.assumedConsent(for: purpose)
    }

    /// The purposes that the configuration denies, except those that are stored as denied.
    private func deniedByConfiguration(in rows: PrivacyRows) -> [ConsentPurpose] {
        Set(configuration.destinations.map(\.purpose)).union(configuration.deniedPurposes)
            .filter { purpose in
                guard let decision = rows.decision(about: purpose.name) else {
                    return configuration.assumedConsent(for: purpose) == .denied
                }
                if decision.consent == .denied { return false }
                // An explicit denial in `consent` replaces a stored decision. A denial by `defaultConsent` replaces
                // only another default.
                return configuration.consent[purpose] == .denied
                    || decision.isDefault && configuration.assumedConsent(for: purpose) == .denied
            }
            .sorted { $0.name < $1.name }
    }

    /// Stores the configuration's decision about each purpose that the user has not decided about, for tools.
    private func updateDefaults(change: inout LaneChange) {
        for index in store.privacy.decisions.indices where store.privacy.decisions[index].isDefault {
            let assumed = configuration.assumedConsent(for: ConsentPurpose(store.privacy.decisions[index].purpose))
            guard assumed != .denied, store.privacy.decisions[index].consent != assumed else { continue }
            store.privacy.decisions[index].consent = assumed
            change.outbox.decisions.append(store.privacy.decisions[index])
        }
    }

    /// Whether the user agrees to the purpose of any destination, and whether the user denies one.
    private func answers(in rows: PrivacyRows) -> (isGranted: Bool, isDenied: Bool) {
        let consents = configuration.destinations.map { consent(for: $0.purpose, in: rows) }
        return (consents.contains(.granted), consents.contains(.denied))
    }

    // MARK: Applying

    /// Whether a stored decision has replaced a decision of this process.
    ///
    /// - Parameter decision: The decision, with its decision number in this process.
    func isReplaced(_ decision: PrivacyDecision) -> Bool { decision.number <= replaced[decision.kind] ?? 0 }

    /// Returns the number of events that an erasure has covered, once.
    ///
    /// - Parameter number: The decision number of the erasure, in the stored form.
    func erasedCount(of number: UInt64) -> Int { erasedCounts.removeValue(forKey: number) ?? 0 }

    /// Adds events to those that an erasure has covered.
    ///
    /// - Parameters:
    ///   - count: The number of events.
    ///   - number: The decision number of the erasure, in the stored form.
    func countErased(_ count: Int, by number: UInt64) {
        // No caller waits for the count of an erasure that was requested before the opening.
        if erasedCounts[number] == nil, erasedCounts.count >= StoredDecisions.maximumCounts,
            let first = erasedCounts.keys.min()
        {
            erasedCounts[first] = nil
        }
        erasedCounts[number, default: 0] += count
    }

    /// Whether a decision is not stored yet.
    var isBehind: Bool { store.buffer.withLanes { !$0.privacy.unstored.isEmpty } }

    /// The time at which storing the unstored decisions is tried again, or `nil` if there are none or if the storage
    /// refuses all changes.
    var due: MonotonicInstant? { isBehind && store.storage.state.acceptsChanges ? retryAt : nil }

    /// Stores and applies the decisions that are not stored yet.
    ///
    /// If the disk has refused them, the next call of the app tries again, and so does the writer after a back-off.
    ///
    /// - Parameter isCalled: Whether the app waits for the result.
    func applyUnstored(isCalled: Bool = false) {
        let isDue = due.map { $0 <= store.buffer.clock.monotonicTime() } ?? (failure == nil)
        guard store.isOpen, isBehind, isCalled || isDue else { return }
        apply(store.buffer.unstoredDecisions)
        store.buffer.accept(
            consents(in: store.privacy),
            fallback: configuration.defaultConsent,
            through: failure == nil ? store.privacy.number : nil
        )
        store.publish(store.lanes.indices)
        store.finishTurn()
    }

    /// Applies the app's decisions, if this engine is an extension's.
    func follow() {
        let lackedDecisions = store.exchange.lacksDecisions
        let kinds = store.exchange.newDecisions(store.privacy)
        for kind in kinds {
            switch kind {
            case .consent(let purpose, let consent): store.buffer.decide(consent, about: purpose)
            case .erasure(let user): _ = store.buffer.erase(user)
            }
        }
        applyUnstored(isCalled: true)
        if lackedDecisions, !store.exchange.lacksDecisions { store.lanes.publish(store.lanes.indices) }
        if let id = store.exchange.installation, answers(in: store.privacy).isGranted {
            store.buffer.identity.change { $0.deviceID = id }
            updateState()
        }
    }

    /// Stores and applies decisions in one transaction.
    ///
    /// If the disk refuses it, nothing changes, and ``failure`` has the reason.
    ///
    /// - Parameter decisions: The decisions, in their order.
    private func apply(_ decisions: [PrivacyDecision]) {
        guard let last = decisions.last else {
            (failure, isConfigurationStored) = (nil, true)
            return
        }
        var (rows, lanes, change) = (store.privacy, store.lanes, LaneChange())
        var erased: [UInt64: Int] = [:]
        let receipts = store.storage.receipts
        do throws(OutboxError) {
            for decision in decisions {
                erased[decision.number] = try apply(decision, &rows, &lanes, &change)
            }
            rows.state.number = max(rows.number, last.number)
            rows.state.decisions = rows.decisions.count
            rows.state.erasures = rows.erasures.count
            rows.state.followed = max(rows.state.followed, store.exchange.followed)
            let answers = answers(in: rows)
            rows.state.installation = answers.isGranted ? installation.current(store.buffer.identity.value) : nil
            change.outbox.state = rows.state
            change.outbox.savedDecisions(from: rows, since: store.privacy)
            loseReceipts(decisions)
            try store.storage.commit(change.outbox, barrier: true)
            (store.privacy, store.lanes, failure) = (rows, lanes, nil)
            isConfigurationStored = true
            for (number, count) in erased where count > 0 { countErased(count, by: number) }
            backoff.succeeded()
            retryAt = MonotonicInstant(nanoseconds: .min)
            removeQuarantined(change.outbox.removedQuarantined)
            if answers.isGranted { installation.keep() } else if answers.isDenied { forgetInstallation() }
        } catch {
            store.storage.receipts = receipts
            failure = error
            retryAt = backoff.failed(error, at: store.buffer.clock.monotonicTime())
            return store.handle(error)
        }
        store.storage.writeCheckpoint(store.lanes.rows, number: rows.number)
        try? store.publishDecisions()
        for diagnostic in change.diagnostics {
            if case .dropped(let lane, _, _) = diagnostic { store.statuses.forget([lane]) }
            store.diagnostics.send(diagnostic)
        }
        store.publish(store.lanes.indices)
        store.finishTurn()
    }

    private func apply(
        _ decision: PrivacyDecision,
        _ rows: inout PrivacyRows,
        _ lanes: inout LaneTable,
        _ change: inout LaneChange
    ) throws(OutboxError) -> Int {
        switch decision.kind {
        case .erasure(let user):
            return try erase(StoredErasure(number: decision.number, user: user), &rows, &lanes, &change)
        case .consent(let purpose, let consent):
            let index = rows.decisions.firstIndex { $0.purpose == purpose.name }
            var row = index.map { rows.decisions[$0] } ?? StoredDecision(purpose: purpose.name, consent: consent)
            (row.consent, row.number) = (consent, decision.number)
            row.isDefault = decision.number == configurationNumber && configuration.consent[purpose] == nil
            if consent == .denied {
                row.denial = decision.number
                rows.state.scrub = decision.number
                void(purpose.name, below: decision.number, &lanes, &change)
            }
            if let index { rows.decisions[index] = row } else { rows.decisions.append(row) }
            return 0
        }
    }

    private func void(
        _ purpose: String,
        below number: UInt64,
        _ lanes: inout LaneTable,
        _ change: inout LaneChange
    ) {
        for index in lanes.indices where lanes[index].hasPurpose(purpose) {
            removeQuarantined(on: lanes[index].id, change: &change) { $0.decision < number }
            let lost = lanes[index].void(below: number, .consentDenied, change: &change.outbox)
            report(lost, .consentDenied, on: lanes[index].id, change: &change)
        }
    }

    private func erase(
        _ erasure: StoredErasure,
        _ rows: inout PrivacyRows,
        _ lanes: inout LaneTable,
        _ change: inout LaneChange
    ) throws(OutboxError) -> Int {
        let outbox = store.storage.outbox
        var erased = 0
        for index in lanes.indices {
            let id = lanes[index].id
            let refused = removeQuarantined(on: id, change: &change) { erasure.covers($0.user, $0.decision) }
            let lost: Int
            if erasure.user == nil {
                // While the disk has refused the erasure, memory has taken later events.
                var lane = lanes[index].stored
                lane.void = erasure.number
                let later = (counts: try outbox.recount(lane, rows), quarantined: lane.ledger.quarantined - refused)
                lost = lanes[index].void(below: erasure.number, .erased, except: later, change: &change.outbox)
            } else {
                lost = try lanes[index].erase(
                    erasure,
                    quarantined: refused,
                    from: outbox,
                    rows,
                    change: &change.outbox
                )
            }
            report(lost, .erased, on: id, change: &change)
            erased += lost
        }
        rows.erasures.append(erasure)
        rows.state.scrub = max(rows.state.scrub, erasure.number)
        change.outbox.insertedErasures.append(erasure)
        for index in lanes.indices { lanes[index].refreshHead(from: outbox, rows) }
        return erased
    }

    @discardableResult
    private func removeQuarantined(
        on lane: LaneID,
        change: inout LaneChange,
        where isGone: (QuarantinedEvent) -> Bool
    ) -> Int {
        let known = Set(change.outbox.removedQuarantined)
        let gone = store.quarantine.events.filter { $0.lane == lane && !known.contains($0.id) && isGone($0) }
        change.outbox.removedQuarantined += gone.map(\.id)
        return gone.count
    }

    private func removeQuarantined(_ ids: [EventID]) {
        let gone = Set(ids)
        if !gone.isEmpty { store.quarantine.events.removeAll { gone.contains($0.id) } }
    }

    private func report(_ count: Int, _ reason: DropReason, on lane: LaneID, change: inout LaneChange) {
        if count > 0 { change.diagnostics.append(.dropped(lane: lane, reason: reason, count: count)) }
    }

    /// Changes the outcome of receipts that wait until their events are stored.
    private func loseReceipts(_ decisions: [PrivacyDecision]) {
        for decision in decisions {
            switch decision.kind {
            case .consent(let purpose, .denied):
                store.storage.receipts.lose(.consentDenied) { [lanes = store.lanes] _, entry in
                    entry.decision < decision.number && lanes[entry.lane].hasPurpose(purpose.name)
                }
            case .erasure(let user):
                let erasure = StoredErasure(number: decision.number, user: user)
                store.storage.receipts.lose(.erased) { _, entry in erasure.covers(entry.user, entry.decision) }
            case .consent: break
            }
        }
    }

    // MARK: Installation

    /// The row of the state with the current installation, or `nil` if nothing has changed.
    var changedState: StoredState? {
        var state = store.privacy.state
        let isGranted = answers(in: store.privacy).isGranted
        state.installation = isGranted ? installation.current(store.buffer.identity.value) : nil
        return state == store.privacy.state ? nil : state
    }

    /// Stores the current installation, if it has changed.
    func updateState() {
        guard store.isOpen, let state = changedState else { return }
        store.privacy.state = state
        var change = OutboxChange()
        change.state = state
        store.record(change)
    }

    /// Replaces the installation after the last purpose was denied.
    private func forgetInstallation() {
        guard let id = installation.forget(store.buffer.identity.value) else { return }
        store.buffer.identity.change { $0.deviceID = id }
    }
}

extension OutboxChange {
    /// Adds the decisions that have changed.
    fileprivate mutating func savedDecisions(from rows: PrivacyRows, since earlier: PrivacyRows) {
        decisions += rows.decisions.filter { !earlier.decisions.contains($0) }
    }
}

extension DeliveryConfiguration {
    /// The purposes that the configuration denies.
    fileprivate var deniedPurposes: [ConsentPurpose] {
        consent.filter { $0.value == .denied }.map(\.key).sorted { $0.name < $1.name }
    }

    /// Returns the decision about a purpose that the user has not decided about.
    fileprivate func assumedConsent(for purpose: ConsentPurpose) -> Consent { consent[purpose] ?? defaultConsent }
}
