import CoreTracker
import EventDeliveryAPI
import EventOutbox

/// A value that adds the configuration's decisions to the decisions in a newly opened outbox.
struct DecisionReconciler {
    /// The completed rows.
    ///
    /// Their decision number is the decision number of ``denials``, or the greatest stored one if there are no denials.
    /// The calls of this process follow it.
    private(set) var rows: PrivacyRows
    /// The rows of purposes whose decision is lost by damage.
    ///
    /// The purpose is unknown until the app decides again. If a deletion may have been pending, the row has a denial.
    private(set) var lost: [DecisionRow] = []
    /// The purposes denied by the configuration, except purposes already stored as denied.
    private(set) var denials: [ConsentPurpose] = []
    private let configuration: DeliveryConfiguration

    /// Completes rows.
    ///
    /// - Parameters:
    ///   - rows: The rows of the outbox.
    ///   - configuration: The destinations, and the decisions of the app.
    ///   - lanes: The stored lanes.
    ///   - isConfigurationStored: Whether this process has stored the configuration's denials before. A later grant may
    ///     have replaced them.
    init(
        _ rows: PrivacyRows,
        configuration: DeliveryConfiguration,
        lanes: [LaneQueue],
        isConfigurationStored: Bool
    ) {
        (self.rows, self.configuration) = (rows, configuration)
        addMissingDecisions(
            of: Set(configuration.destinations.map(\.purpose.name) + lanes.map(\.stored.purpose))
        )
        updateDefaults()
        if !isConfigurationStored { denials = configuration.denials(beside: self.rows) }
        denials += abandonedPurposes(of: lanes)
        self.rows.state.number = self.rows.number + (denials.isEmpty ? 0 : 1)
    }

    /// The decision number of the erasure of all users that replaces a lost one, or `nil` if no erasure is lost.
    var lostErasure: UInt64? { rows.lacksErasures ? rows.state.scrub : nil }

    /// Returns the decision about each purpose whose last denial has a greater decision number.
    ///
    /// - Parameter number: The greatest decision number seen by this process.
    func decisions(deniedAfter number: UInt64) -> [ConsentPurpose: Consent] {
        let purposes = rows.decisions.filter { $0.denial > number }.map { ConsentPurpose($0.purpose) }
        return Dictionary(purposes.map { ($0, configuration.consent(for: $0, in: rows)) }) { first, _ in first }
    }

    /// Adds a row for each purpose without one, so a missing row is damage.
    private mutating func addMissingDecisions(of purposes: Set<String>) {
        let (isDamaged, isClean) = (rows.lacksDecisions, rows.isClean)
        let known = Set(rows.decisions.map(\.purpose))
        let missing = purposes.filter { !$0.isEmpty && !known.contains($0) }
        var number = rows.number
        if isDamaged, !missing.isEmpty { number += 1 }
        for purpose in missing.sorted() {
            let assumed = configuration.assumedConsent(for: ConsentPurpose(purpose))
            // A denial is applied like a call.
            var row = DecisionRow(purpose: purpose, consent: assumed == .denied ? .unknown : assumed, isDefault: true)
            if isDamaged {
                row = DecisionRow(purpose: purpose, consent: .unknown, number: number, denial: isClean ? 0 : number)
                lost.append(row)
            }
            rows.decisions.append(row)
        }
        rows.state.number = number
        if isDamaged, !isClean { rows.state.scrub = max(1, number) }
        rows.isStateLost = false
        rows.state.decisions = rows.decisions.count
    }

    /// Returns the undecided purposes of stored events whose destination has another purpose in this version of the
    /// app.
    ///
    /// If no destination has the purpose, the app asks no user about it, and the events would keep all later ones of
    /// their lane from being sent. They are denied. If decisions are shared, another process may still ask.
    private func abandonedPurposes(of lanes: [LaneQueue]) -> [ConsentPurpose] {
        guard configuration.sharing == nil else { return [] }
        let used = Set(configuration.destinations.map(\.purpose)).union(denials)
        let left = lanes.filter { lane in lane.destination.map { $0.purpose.name != lane.stored.purpose } ?? false }
        return Set(left.map { ConsentPurpose($0.stored.purpose) }).subtracting(used)
            .filter { !$0.name.isEmpty && configuration.consent(for: $0, in: rows) == .unknown }
            .sorted(by: \.name)
    }

    /// Uses the configuration's decision about each purpose without a decision by the user, for tools.
    private mutating func updateDefaults() {
        for index in rows.decisions.indices where rows.decisions[index].isDefault {
            let assumed = configuration.assumedConsent(for: ConsentPurpose(rows.decisions[index].purpose))
            if assumed != .denied { rows.decisions[index].consent = assumed }
        }
    }
}

/// The configuration's decisions beside the stored ones.
extension DeliveryConfiguration {
    /// The purposes denied by the configuration.
    var deniedPurposes: [ConsentPurpose] {
        consent.filter { $0.value == .denied }.map(\.key).sorted(by: \.name)
    }

    /// Returns the decision about a purpose without a decision by the user.
    fileprivate func assumedConsent(for purpose: ConsentPurpose) -> Consent { consent[purpose] ?? defaultConsent }

    /// Returns the user's and the configuration's decisions, by purpose.
    func consents(in rows: PrivacyRows) -> [ConsentPurpose: Consent] {
        var consents = consent
        for decision in rows.decisions {
            if !decision.isDefault { consents[ConsentPurpose(decision.purpose)] = decision.consent }
        }
        return consents
    }

    /// Returns the decision about a purpose.
    func consent(for purpose: ConsentPurpose, in rows: PrivacyRows) -> Consent {
        let decision = rows.decision(about: purpose.name)
        return decision?.isDefault == false ? decision?.consent ?? .unknown : assumedConsent(for: purpose)
    }

    /// Returns the purposes denied by the configuration, except purposes already stored as denied.
    fileprivate func denials(beside rows: PrivacyRows) -> [ConsentPurpose] {
        Set(destinations.map(\.purpose)).union(deniedPurposes)
            .filter { purpose in
                let decision = rows.decision(about: purpose.name)
                if decision?.consent == .denied { return false }
                // An explicit denial in `consent` replaces a stored decision. A denial by `defaultConsent` replaces
                // only another default.
                return consent[purpose] == .denied
                    || decision?.isDefault != false && assumedConsent(for: purpose) == .denied
            }
            .sorted(by: \.name)
    }

    /// Whether the user denies the purposes of all destinations.
    ///
    /// Without destinations, the purposes are those with a stored decision. It is `false` if there are none.
    ///
    /// - Parameters:
    ///   - rows: The stored decisions.
    ///   - isExplicit: Whether denials by ``defaultConsent`` do not count.
    func deniesAll(in rows: PrivacyRows, isExplicit: Bool = false) -> Bool {
        let stored = rows.decisions.map { ConsentPurpose($0.purpose) }
        let purposes = destinations.isEmpty ? stored : destinations.map(\.purpose)
        return !purposes.isEmpty
            && purposes.allSatisfy { consent(for: $0, in: rows) == .denied }
            && !(isExplicit && purposes.contains { rows.decision(about: $0.name)?.isDefault != false })
    }
}
