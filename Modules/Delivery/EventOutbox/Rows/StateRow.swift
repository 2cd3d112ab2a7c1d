import CoreTracker
package import EventTracking

/// The row that describes the whole file: the user's decisions, the pending erasures, the installation and the session.
///
/// A file without it is damaged: nobody knows which of its events may be sent.
package struct StateRow: Sendable, Equatable {
    /// The greatest plausible decision number.
    ///
    /// A greater one counts as damage.
    package static let greatestNumber: UInt64 = 1 << 48
    /// The maximum number of the user's decisions.
    ///
    /// It exceeds the number of purposes that calls decide about, so more of them are damage.
    package static let maximum = 4_096

    /// The user's decision about a purpose.
    package struct Decision: Sendable, Equatable {
        package var consent: Consent
        /// The number of the last denial, or 0 if there was none.
        package var denial: UInt64

        package init(_ consent: Consent, denial: UInt64 = 0) { (self.consent, self.denial) = (consent, denial) }
    }

    /// The number of decisions and erasures so far.
    package var number: UInt64 = 0
    /// The user's decisions by the name of their purpose.
    package var decisions: [String: Decision] = [:]
    /// The number of the last erasure of each user whose events are not deleted yet, and under `nil` of all users.
    ///
    /// It covers the segments with a lower number.
    package var erasing: [UserHash?: UInt64] = [:]
    /// Whether bytes of denied or erased events may be left.
    package var isUnclean = false
    /// A random number of the last opening, which tells whether another process has used the directory since.
    package var generation: UInt64 = 0
    /// The installation's id, which is stored unless the user denies all purposes.
    package var installation: String?
    /// The session that continues after a restart, which is stored unless the user denies all purposes.
    package var session: StoredSession?
    /// The greatest decision number of the app applied by this process, an extension, or 0.
    package var followed: UInt64 = 0

    package init() {}

    /// Whether a pending erasure covers the events of a segment.
    ///
    /// A segment whose user is unknown because of damage may contain any user's events.
    ///
    /// - Parameters:
    ///   - user: The user's hash of the segment.
    ///   - number: The decision number of the segment.
    package func isErased(_ user: UserHash?, _ number: UInt64) -> Bool {
        guard !erasing.isEmpty else { return false }
        guard let user else { return erasing.values.contains { number < $0 } }
        return number < max(erasing[user] ?? 0, erasing[nil] ?? 0)
    }
}

extension StateRow: OutboxRow {
    static let table = RowTable.state

    var rowKey: [UInt8] { [] }

    init?(rowKey key: [UInt8]) {
        guard key.isEmpty else { return nil }
        self.init()
    }

    mutating func code(_ coder: inout RowCoder) {
        coder.code(&number)
        var decided = decisions.map { DecidedPurpose(name: $0.key, decision: $0.value) }.sorted(by: \.name)
        coder.code(&decided, from: DecidedPurpose(name: "", decision: Decision(.unknown))) { decided, coder in
            coder.code(&decided.name)
            coder.code(&decided.decision.consent)
            coder.code(&decided.decision.denial)
        }
        var erased = erasing.map { ErasedUser(user: $0.key, number: $0.value) }.sorted(by: \.number)
        coder.code(&erased, from: ErasedUser(user: nil, number: 0)) { erased, coder in
            coder.code(&erased.user)
            coder.code(&erased.number)
        }
        if coder.isReading {
            decisions = decided.keyed { ($0.name, $0.decision) }
            erasing = erased.keyed { ($0.user, $0.number) }
        }
        coder.code(&isUnclean)
        coder.code(&generation)
        coder.code(&installation, from: "") { $1.code(&$0) }
        coder.code(&session, from: .empty) { session, coder in
            coder.code(&session.id, limit: RowText.longest)
            coder.code(&session.start)
            coder.code(&session.number)
            coder.code(&session.last)
        }
        coder.code(&followed)
    }

    var isPossible: Bool {
        number <= StateRow.greatestNumber && decisions.values.allSatisfy { $0.denial <= number }
            && erasing.values.allSatisfy { $0 <= number } && session?.isStorable ?? true
    }
}

/// A decision with the name of its purpose, in its stored form.
private struct DecidedPurpose {
    var name: String
    var decision: StateRow.Decision
}

/// An erasure in its stored form.
private struct ErasedUser {
    var user: UserHash?
    var number: UInt64
}
