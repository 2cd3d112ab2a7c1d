import CoreTracker
import EventBuffer
import EventOutbox

/// A component that stores the user's decisions and erasures, and applies them to the stored events.
///
/// A denial or an erasure is one small transaction: its row, the ledgers of the lanes, and the decision number whose
/// deletion is pending. From then on the covered events do not exist, and ``EventDeletion`` removes their bytes. The
/// component is confined to the store's executor.
final class DecisionStore {
    /// The maximum number of erasures whose counts are kept.
    private static let maximumCounts = 256

    private let state: DeliveryState
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

    init(_ state: DeliveryState) {
        self.state = state
        let runtime = state.buffer.runtime
        installation = Installation {
            var random = runtime.generator
            return Identity.makeDeviceID(using: &random)
        }
    }

    private var configuration: DeliveryConfiguration { state.configuration }

    private var served: [ServedLane] {
        configuration.destinations.map { ServedLane($0.lane, purpose: $0.purpose, updates: $0.updates) }
    }

    /// The installation's id for events that were tracked before the opening.
    var installationAtOpening: String { installation.opened }

    /// Applies the decisions of this process until the directory can be opened.
    func awaitDirectory() {
        state.buffer.awaitDirectory(serving: served, denied: configuration.deniedPurposes)
        // The stored installation id is not known yet.
        state.buffer.acceptEvents(
            limits: configuration.limits,
            sessionTimeout: configuration.sessionTimeout,
            deviceID: ""
        )
    }

    /// Completes the decisions of an outbox that was just opened, and applies those of this process.
    func reconcile() {
        var change = LaneChange()
        state.exchange.continueNumbers(&state.privacy)
        addMissingDecisions(change: &change)
        updateDefaults(change: &change)
        coverLostErasures(change: &change)
        let earlier = state.privacy
        // A later grant of this run replaces the configuration's denial.
        let denials = isConfigurationStored ? [] : deniedByConfiguration(in: earlier)
        let unseen = earlier.decisions.filter { $0.denial > state.seenNumber }.map { ConsentPurpose($0.purpose) }
        let overruling = Dictionary(unseen.map { ($0, consent(for: $0, in: earlier)) }) { first, _ in first }
        // The configuration's denials precede the calls of this process.
        let base = earlier.number + (denials.isEmpty ? 0 : 1)
        replaced.merge(
            state.buffer.continueNumbers(after: base, overruling: overruling, denying: denials),
            uniquingKeysWith: max
        )
        configurationNumber = denials.isEmpty ? nil : base
        installation.restore(state.privacy.state.installation)
        state.privacy.state.number = base
        state.buffer.identity.change { if $0.deviceID.isEmpty { $0.deviceID = installation.opened } }
        change.outbox.state = state.privacy.state
        removeQuarantined(change.outbox.removedQuarantined)
        state.commit(change)
        apply(state.buffer.unstoredDecisions)
        let denied = Set(earlier.decisions.lazy.filter { $0.consent == .denied }.map { ConsentPurpose($0.purpose) })
        state.buffer.reconcile(
            consents(in: state.privacy),
            fallback: configuration.defaultConsent,
            denied: denied.union(denials),
            through: failure == nil ? state.privacy.number : nil,
            serving: served
        )
        state.buffer.acceptEvents(
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
        let isDamaged = state.privacy.lacksDecisions
        let isClean = state.privacy.isClean
        let purposes = configuration.destinations.map(\.purpose.name) + state.lanes.queues.map(\.stored.purpose)
        let missing = Set(purposes).filter { !$0.isEmpty && state.privacy.decision(about: $0) == nil }
        var number = state.privacy.number
        if isDamaged, !missing.isEmpty { number += 1 }
        for purpose in missing.sorted() {
            let assumed = configuration.assumedConsent(for: ConsentPurpose(purpose))
            // A denial is applied like a call.
            var decision = DecisionRow(
                purpose: purpose,
                consent: assumed == .denied ? .unknown : assumed,
                isDefault: true
            )
            if isDamaged {
                decision = DecisionRow(
                    purpose: purpose,
                    consent: .unknown,
                    number: number,
                    denial: isClean ? 0 : number
                )
                change.diagnostics.append(.consentLost(ConsentPurpose(purpose)))
                if !isClean { void(purpose, below: number, &state.lanes, &change) }
            }
            state.privacy.decisions.append(decision)
            change.outbox.decisions.append(decision)
        }
        state.privacy.state.number = number
        if isDamaged, !isClean { state.privacy.state.scrub = max(1, number) }
        state.privacy.isStateLost = false
        state.privacy.state.decisions = state.privacy.decisions.count
    }

    /// Erases all users' events if the row of a pending erasure is damaged.
    private func coverLostErasures(change: inout LaneChange) {
        guard state.privacy.lacksErasures else { return }
        let erasure = ErasureRow(number: state.privacy.state.scrub, user: nil)
        var (rows, lanes) = (state.privacy, state.lanes)
        guard (try? erase(erasure, &rows, &lanes, &change)) != nil else { return }
        (state.privacy, state.lanes) = (rows, lanes)
    }

    private func reportAssumedConsents() {
        guard configuration.defaultConsent == .granted else { return }
        for purpose in Set(configuration.destinations.map(\.purpose))
        where configuration.consent[purpose] == nil
            && state.privacy.decision(about: purpose.name)?.isDefault == true
        {
            state.diagnostics.send(.consentAssumed(purpose))
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
        for index in state.privacy.decisions.indices where state.privacy.decisions[index].isDefault {
            let assumed = configuration.assumedConsent(for: ConsentPurpose(state.privacy.decisions[index].purpose))
            guard assumed != .denied, state.privacy.decisions[index].consent != assumed else { continue }
            state.privacy.decisions[index].consent = assumed
            change.outbox.decisions.append(state.privacy.decisions[index])
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
        if erasedCounts[number] == nil, erasedCounts.count >= DecisionStore.maximumCounts,
            let first = erasedCounts.keys.min()
        {
            erasedCounts[first] = nil
        }
        erasedCounts[number, default: 0] += count
    }

    /// Whether a decision is not stored yet.
    var isBehind: Bool { state.buffer.withLanes { !$0.privacy.unstored.isEmpty } }

    /// The time at which storing the unstored decisions is tried again, or `nil` if there are none or if the storage
    /// refuses all changes.
    var due: MonotonicInstant? { isBehind && state.storage.state.acceptsChanges ? retryAt : nil }

    /// Stores and applies the decisions that are not stored yet.
    ///
    /// If the disk has refused them, the next call of the app tries again, and so does the writer after a back-off.
    ///
    /// - Parameter isCalled: Whether the app waits for the result.
    func applyUnstored(isCalled: Bool = false) {
        let isDue = due.map { $0 <= state.buffer.clock.monotonicTime() } ?? (failure == nil)
        guard state.isOpen, isBehind, isCalled || isDue else { return }
        apply(state.buffer.unstoredDecisions)
        state.buffer.accept(
            consents(in: state.privacy),
            fallback: configuration.defaultConsent,
            through: failure == nil ? state.privacy.number : nil
        )
        state.publish(state.lanes.indices)
        state.finishTurn()
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
        if lackedDecisions, !state.exchange.lacksDecisions { state.lanes.publish(state.lanes.indices) }
        if let id = state.exchange.installation, answers(in: state.privacy).isGranted {
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
        guard let last = decisions.last else {
            (failure, isConfigurationStored) = (nil, true)
            return
        }
        var (rows, lanes, change) = (state.privacy, state.lanes, LaneChange())
        var erased: [UInt64: Int] = [:]
        let receipts = state.storage.receipts
        do throws(OutboxError) {
            for decision in decisions {
                erased[decision.number] = try apply(decision, &rows, &lanes, &change)
            }
            rows.state.number = max(rows.number, last.number)
            rows.state.decisions = rows.decisions.count
            rows.state.erasures = rows.erasures.count
            rows.state.followed = max(rows.state.followed, state.exchange.followed)
            let answers = answers(in: rows)
            rows.state.installation = answers.isGranted ? installation.current(state.buffer.identity.value) : nil
            change.outbox.state = rows.state
            change.outbox.savedDecisions(from: rows, since: state.privacy)
            loseReceipts(decisions)
            try state.storage.commit(change.outbox, barrier: true)
            (state.privacy, state.lanes, failure) = (rows, lanes, nil)
            isConfigurationStored = true
            for (number, count) in erased where count > 0 { countErased(count, by: number) }
            backoff.succeeded()
            retryAt = MonotonicInstant(nanoseconds: .min)
            removeQuarantined(change.outbox.removedQuarantined)
            if answers.isGranted { installation.keep() } else if answers.isDenied { forgetInstallation() }
        } catch {
            state.storage.receipts = receipts
            failure = error
            retryAt = backoff.failed(error, at: state.buffer.clock.monotonicTime())
            return state.handle(error)
        }
        state.storage.writeCheckpoint(state.lanes.rows, number: rows.number)
        try? state.publishDecisions()
        for diagnostic in change.diagnostics {
            if case .dropped(let lane, _, _) = diagnostic { state.statuses.forget([lane]) }
            state.diagnostics.send(diagnostic)
        }
        state.publishOutcomes([], change.diagnostics)
        state.publish(state.lanes.indices)
        state.finishTurn()
    }

    private func apply(
        _ decision: PrivacyDecision,
        _ rows: inout PrivacyRows,
        _ lanes: inout LaneTable,
        _ change: inout LaneChange
    ) throws(OutboxError) -> Int {
        switch decision.kind {
        case .erasure(let user):
            return try erase(ErasureRow(number: decision.number, user: user), &rows, &lanes, &change)
        case .consent(let purpose, let consent):
            let index = rows.decisions.firstIndex { $0.purpose == purpose.name }
            var row = index.map { rows.decisions[$0] } ?? DecisionRow(purpose: purpose.name, consent: consent)
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
        _ erasure: ErasureRow,
        _ rows: inout PrivacyRows,
        _ lanes: inout LaneTable,
        _ change: inout LaneChange
    ) throws(OutboxError) -> Int {
        let outbox = state.storage.outbox
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
        let gone = state.quarantine.events.filter { $0.lane == lane && !known.contains($0.id) && isGone($0) }
        change.outbox.removedQuarantined += gone.map(\.id)
        return gone.count
    }

    private func removeQuarantined(_ ids: [EventID]) {
        let gone = Set(ids)
        if !gone.isEmpty { state.quarantine.events.removeAll { gone.contains($0.id) } }
    }

    private func report(_ count: Int, _ reason: DropReason, on lane: LaneID, change: inout LaneChange) {
        if count > 0 { change.diagnostics.append(.dropped(lane: lane, reason: reason, count: count)) }
    }

    /// Changes the outcome of receipts that wait until their events are stored.
    private func loseReceipts(_ decisions: [PrivacyDecision]) {
        for decision in decisions {
            switch decision.kind {
            case .consent(let purpose, .denied):
                state.storage.receipts.lose(.consentDenied) { [lanes = state.lanes] entry in
                    entry.decision < decision.number && lanes[entry.lane].hasPurpose(purpose.name)
                }
            case .erasure(let user):
                let erasure = ErasureRow(number: decision.number, user: user)
                state.storage.receipts.lose(.erased) { entry in erasure.covers(entry.user, entry.decision) }
            case .consent: break
            }
        }
    }

    // MARK: Installation

    /// The row of the state with the current installation, or `nil` if nothing has changed.
    var changedState: PrivacyStateRow? {
        var row = state.privacy.state
        let isGranted = answers(in: state.privacy).isGranted
        row.installation = isGranted ? installation.current(state.buffer.identity.value) : nil
        return row == state.privacy.state ? nil : row
    }

    /// Stores the current installation, if it has changed.
    func updateState() {
        guard state.isOpen, let row = changedState else { return }
        state.privacy.state = row
        var change = OutboxChange()
        change.state = row
        state.record(change)
    }

    /// Replaces the installation after the last purpose was denied.
    private func forgetInstallation() {
        guard let id = installation.forget(state.buffer.identity.value) else { return }
        state.buffer.identity.change { $0.deviceID = id }
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
