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

/// The conversion of this process's decision numbers to the numbers in its directory.
///
/// A process numbers its decisions from 0. When it holds the directory, the greatest stored number is added.
package struct DecisionNumbers: Sendable, Equatable {
    /// The last decision number of this process that counts as 0.
    package var start: UInt64 = 0
    /// The greatest stored decision number when the directory was opened.
    package var base: UInt64 = 0

    package init() {}

    /// Returns the stored form of a decision number of this process.
    package func stored(_ number: UInt64) -> UInt64 { base + (number > start ? number - start : 0) }

    /// Returns this process's decision number for a stored one.
    func local(_ stored: UInt64) -> UInt64 { start + (stored > base ? stored - base : 0) }
}

/// The decisions in effect, and the unstored calls.
///
/// A decision is in effect from the call on. While the disk refuses decisions, an unstored decision takes effect only
/// if it is stricter than the current one. An unstored grant never lifts a denial, stored or not.
package struct CurrentDecisions: Sendable {
    /// The user's and the configuration's decisions in effect, by purpose.
    package private(set) var consents: [ConsentPurpose: Consent] = [:]
    /// The unstored calls, in their order.
    package private(set) var unstored: [PrivacyDecision] = []
    /// The conversion of this process's decision numbers.
    package private(set) var numbers = DecisionNumbers()
    /// The decision number of the last denial of each purpose in this process.
    private var denials: [ConsentPurpose: UInt64] = [:]
    /// The decision in effect about all other purposes.
    private var fallback = Consent.unknown
    /// Whether the disk has refused the last decisions.
    private var isRefused = false

    /// Returns the decision in effect about a purpose.
    package func consent(for purpose: ConsentPurpose) -> Consent { consents[purpose] ?? fallback }

    /// Returns the decision number of the last denial of a purpose in this process, or 0.
    func denial(of purpose: ConsentPurpose) -> UInt64 { denials[purpose] ?? 0 }

    /// The maximum number of purposes that calls decide about, and of erasures waiting to be stored.
    package static let maximum = 1_024
    /// The maximum size of a purpose's name in bytes.
    package static let maximumNameBytes = 1_024

    /// Whether a call can be recorded within the limits.
    func isAcceptable(_ kind: PrivacyDecision.Kind) -> Bool {
        switch kind {
        case .consent(let purpose, _):
            purpose.name.utf8.count <= CurrentDecisions.maximumNameBytes
                && (consents[purpose] != nil || consents.count < CurrentDecisions.maximum)
        case .erasure:
            unstored.count { $0.purpose == nil } < CurrentDecisions.maximum
                || unstored.contains { $0.kind == kind }
        }
    }

    /// Adds a call.
    ///
    /// Drops calls that another one makes redundant, so the list stays short while the process waits for its directory:
    /// a repeated decision, decisions before a denial, and an earlier erasure of the same user.
    mutating func record(_ decision: PrivacyDecision) {
        switch decision.kind {
        case .erasure: unstored.removeAll { $0.kind == decision.kind }
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
        if let purpose = decision.purpose, let consent = decision.consent {
            if !isRefused || consent.isStricter(than: self.consent(for: purpose)) { consents[purpose] = consent }
        }
    }

    /// Numbers this process's decisions from 0 again, because it no longer holds its directory.
    mutating func awaitDirectory(after last: UInt64) {
        // Decisions of the configuration have this number. The next opening adds them again.
        unstored.removeAll { $0.number == numbers.start }
        numbers.start = unstored.first.map { $0.number - 1 } ?? last
        isRefused = false
    }

    /// Denies purposes, unless this process has decided about them.
    mutating func deny(_ purposes: [ConsentPurpose]) {
        for purpose in purposes where consents[purpose] == nil { consents[purpose] = .denied }
    }

    /// Prepares the calls of this process for the directory, whose greatest decision number is now known.
    ///
    /// - Parameters:
    ///   - greatest: The greatest stored decision number.
    ///   - overruling: The stored decision about each purpose with a denial not yet seen by this process. It replaces
    ///     this process's decisions, except denials and stricter decisions.
    /// - Returns: The replaced calls.
    mutating func continueNumbers(
        after greatest: UInt64,
        overruling: [ConsentPurpose: Consent]
    ) -> [PrivacyDecision] {
        numbers.base = greatest
        let replaced = unstored.filter { decision in
            guard let purpose = decision.purpose, let consent = decision.consent, consent != .denied,
                let stored = overruling[purpose]
            else { return false }
            return !consent.isStricter(than: stored)
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
        unstored = denials.map { PrivacyDecision(number: numbers.start, kind: .consent($0, .denied)) } + unstored
    }

    /// Returns the decision number below which a denial covers a purpose's buffered events when the directory opens.
    ///
    /// - Parameters:
    ///   - purpose: The purpose.
    ///   - isDenied: Whether the stored decision, or the configuration, is a denial.
    func firstAllowedNumber(for purpose: ConsentPurpose, isDenied: Bool) -> UInt64 {
        let denial = denial(of: purpose)
        let isDeniedHere = denial > numbers.start
        guard isDenied || isDeniedHere else { return denial }
        // Events tracked between the denial and the next decision are covered too.
        let next = unstored.first {
            $0.purpose == purpose && $0.consent != .denied && $0.number > max(denial, numbers.start)
        }
        return next?.number ?? (isDeniedHere ? denial : .max)
    }

    /// Applies stored decisions, then later unstored ones.
    ///
    /// - Parameters:
    ///   - stored: The stored decisions by purpose.
    ///   - fallback: The decision about all other purposes.
    ///   - number: The decision number of the last stored call, or `nil` if the disk has refused the others.
    mutating func accept(_ stored: [ConsentPurpose: Consent], fallback: Consent, through number: UInt64?) {
        isRefused = number == nil
        if let number { unstored.removeAll { $0.number <= number } }
        (consents, self.fallback) = (stored, fallback)
        for decision in unstored {
            guard let purpose = decision.purpose, let consent = decision.consent else { continue }
            if !isRefused || consent.isStricter(than: self.consent(for: purpose)) { consents[purpose] = consent }
        }
    }
}

extension Consent {
    /// Whether this decision allows less than another one.
    fileprivate func isStricter(than other: Consent) -> Bool {
        switch (self, other) {
        case (.denied, .unknown), (.denied, .granted), (.unknown, .granted): true
        default: false
        }
    }
}
