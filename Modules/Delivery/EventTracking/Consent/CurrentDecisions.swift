package import CoreTracker

/// A call that decides which events may exist: a consent decision or an erasure.
package struct PrivacyDecision: Sendable, Equatable {
    /// The content of a decision.
    package enum Kind: Sendable, Hashable {
        /// The user's decision about a purpose.
        case consent(ConsentPurpose, Consent)
        /// An erasure of the events of a user, or of all users if there is no hash.
        case erasure(UserHash?)
    }

    /// The decision number of the call.
    package var number: UInt64
    /// The content.
    package let kind: Kind

    package init(number: UInt64, kind: Kind) {
        self.number = number
        self.kind = kind
    }

    /// The purpose of a consent decision.
    package var purpose: ConsentPurpose? {
        if case .consent(let purpose, _) = kind { purpose } else { nil }
    }

    /// Whether the decision covers events: it is a denial or an erasure.
    package var coversEvents: Bool {
        switch kind {
        case .consent(_, .denied), .erasure: true
        case .consent: false
        }
    }

    /// The consent of a consent decision.
    var consent: Consent? {
        if case .consent(_, let consent) = kind { consent } else { nil }
    }
}

/// The decisions in effect, and the calls that are not in the file yet.
///
/// The last call about a purpose is in effect, from the call on.
package struct CurrentDecisions: Sendable {
    /// The user's and the configuration's decisions in effect, by purpose.
    package private(set) var consents: [ConsentPurpose: Consent] = [:]
    /// The calls that are not in the file yet, in their order.
    package private(set) var unstored: [PrivacyDecision] = []
    /// The number of the last call that the store has applied.
    private var applied: UInt64?
    /// The number below which a purpose's events are denied.
    private var denials: [ConsentPurpose: UInt64] = [:]
    /// The number below which a user's events are erased, and under `nil` all events.
    private var erasures: [UserHash?: UInt64] = [:]
    /// The number of erasures whose events are not deleted yet.
    package var pendingErasures = 0
    /// The decision in effect about all other purposes.
    private var fallback = Consent.unknown

    /// The calls that the store has not applied yet, in their order.
    package var unapplied: [PrivacyDecision] {
        guard let applied else { return unstored }
        return unstored.filter { $0.number > applied }
    }

    /// Returns the decision in effect about a purpose.
    package func consent(for purpose: ConsentPurpose) -> Consent { consents[purpose] ?? fallback }

    /// Returns the number below which a purpose's events are denied, or 0.
    func denial(of purpose: ConsentPurpose) -> UInt64 { denials[purpose] ?? 0 }

    /// The maximum number of purposes that calls decide about, and of erasures waiting to be stored.
    package static let maximum = 1_024
    /// The maximum size of a purpose's name in bytes.
    package static let maximumNameBytes = 1_024

    /// Whether a decision can be recorded within the limits.
    func isAcceptable(_ kind: PrivacyDecision.Kind) -> Bool {
        switch kind {
        case .consent(let purpose, _):
            purpose.name.utf8.count <= CurrentDecisions.maximumNameBytes
                && (consents[purpose] != nil || consents.count < CurrentDecisions.maximum)
        case .erasure:
            unstored.count { $0.purpose == nil } + pendingErasures < CurrentDecisions.maximum
                || unstored.contains { $0.kind == kind }
        }
    }

    /// Adds a call.
    ///
    /// Drops calls that another one makes redundant, so the list stays short while the process waits for its directory:
    /// a repeated decision, decisions before a denial, and an earlier erasure of the same user.
    mutating func record(_ decision: PrivacyDecision) {
        switch decision.kind {
        case .erasure(let user):
            unstored.removeAll { $0.kind == decision.kind }
            if erasures.count >= CurrentDecisions.maximum { erasures = [:] }
            erasures[user] = decision.number
        case .consent(let purpose, .denied):
            unstored.removeAll { $0.purpose == purpose }
            denials[purpose] = decision.number
        case .consent(let purpose, let consent):
            let earlier = unstored.indices.filter { unstored[$0].purpose == purpose }
            if let last = earlier.last {
                guard unstored[last].consent != consent else { return }
                // The first decision after a denial is kept: it decides which buffered events the denial covers.
                if earlier.count > 2 { unstored.remove(at: last) }
            }
        }
        unstored.append(decision)
        if let purpose = decision.purpose, let consent = decision.consent { consents[purpose] = consent }
    }

    /// Returns the reason if a decision after an update covers it, or `nil`.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the update's destination.
    ///   - user: The user of the update.
    ///   - number: The number of the last decision or erasure before the update.
    package func refusal(of purpose: ConsentPurpose, _ user: UserHash, _ number: UInt64) -> DropReason? {
        if number < max(erasures[user] ?? 0, erasures[nil] ?? 0) { return .erased }
        return number < denial(of: purpose) ? .consentDenied : nil
    }

    /// Makes all calls of this process unapplied, because it no longer holds its directory.
    mutating func awaitDirectory() {
        // Decisions of the configuration have this number. The next opening adds them again.
        unstored.removeAll { $0.number == 0 }
        applied = nil
    }

    /// Denies purposes, unless this process has decided about them.
    mutating func deny(_ purposes: [ConsentPurpose]) {
        for purpose in purposes where consents[purpose] == nil { consents[purpose] = .denied }
    }

    /// Removes the calls of this process that a denial by another process replaces.
    ///
    /// - Parameter denied: The purposes denied by the other process.
    /// - Returns: The replaced calls.
    mutating func overrule(_ denied: Set<ConsentPurpose>) -> [PrivacyDecision] {
        let replaced = unstored.filter { decision in
            guard case .consent(let purpose, let consent) = decision.kind else { return false }
            return consent != .denied && denied.contains(purpose)
        }
        unstored.removeAll(where: replaced.contains)
        return replaced
    }

    /// Adds denials before all calls of this process, unless it has decided about their purposes.
    ///
    /// - Parameter purposes: The denied purposes.
    mutating func precede(with purposes: [ConsentPurpose]) {
        let decided = Set(unstored.compactMap(\.purpose))
        let denials = purposes.filter { !decided.contains($0) }
        unstored = denials.map { PrivacyDecision(number: 0, kind: .consent($0, .denied)) } + unstored
    }

    /// Extends the denial of a purpose to the buffered events of the time before the directory was opened.
    ///
    /// - Parameters:
    ///   - purpose: The purpose.
    ///   - isDenied: Whether the stored decision, or the configuration, is a denial.
    /// - Returns: The number below which the buffered events are denied.
    mutating func extendDenial(of purpose: ConsentPurpose, isDenied: Bool) -> UInt64 {
        let denial = denial(of: purpose)
        let isDeniedHere = unstored.contains { $0.number > 0 && $0.kind == .consent(purpose, .denied) }
        guard isDenied || isDeniedHere else { return denial }
        // Events tracked between the denial and the next decision are covered too.
        let next = unstored.first {
            $0.purpose == purpose && $0.consent != .denied && $0.number > (isDeniedHere ? denial : 0)
        }
        if let next { denials[purpose] = next.number }
        return next?.number ?? (isDeniedHere ? denial : .max)
    }

    /// Applies the decisions of the store, then later calls.
    ///
    /// - Parameters:
    ///   - consents: The user's and the configuration's decisions, including applied calls.
    ///   - fallback: The decision about all other purposes.
    ///   - number: The number of the last applied call.
    ///   - isStored: Whether the applied calls are in the file.
    ///   - pending: The number of erasures whose events are not deleted yet.
    mutating func accept(
        _ consents: [ConsentPurpose: Consent],
        fallback: Consent,
        through number: UInt64,
        isStored: Bool,
        erasing pending: Int
    ) {
        (self.consents, self.fallback, applied, pendingErasures) = (consents, fallback, number, pending)
        if isStored { forgetStored() }
        for decision in unapplied {
            if let purpose = decision.purpose, let consent = decision.consent { self.consents[purpose] = consent }
        }
    }

    /// Removes the applied calls, because they are in the file.
    mutating func forgetStored() {
        if let applied { unstored.removeAll { $0.number <= applied } }
    }
}
