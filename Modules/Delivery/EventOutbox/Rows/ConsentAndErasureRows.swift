import CoreTracker
package import EventDeliveryAPI

/// The row of the user's decision about a purpose, such as a consent to analytics.
///
/// It is in the table `decision` of the queue file, `queue.db` of the engine's directory. `DecisionStore` of
/// EventDelivery writes it.
package struct DecisionRow: Sendable, Equatable {
    /// The purpose's name.
    package var purpose: String
    /// The decision.
    package var consent: Consent
    /// Whether it is the app's default, because the user has not decided.
    package var isDefault: Bool
    /// The decision number.
    package var number: UInt64
    /// The decision number of the last denial, or 0 if there was none.
    package var denial: UInt64

    package init(
        purpose: String,
        consent: Consent,
        isDefault: Bool = false,
        number: UInt64 = 0,
        denial: UInt64 = 0
    ) {
        self.purpose = purpose
        self.consent = consent
        self.isDefault = isDefault
        self.number = number
        self.denial = denial
    }
}

extension DecisionRow: OutboxRow {
    static let table = RowTable.decision

    var rowKey: [UInt8] { Array(purpose.utf8) }

    init?(rowKey key: [UInt8]) {
        guard key.count <= RowText.longestName else { return nil }
        self.init(purpose: String(decoding: key, as: UTF8.self), consent: .unknown)
    }

    mutating func code(_ coder: inout RowCoder) {
        coder.code(&consent)
        coder.code(&isDefault)
        coder.code(&number)
        coder.code(&denial)
    }

    var isPossible: Bool { denial <= number && number <= PrivacyRows.greatestNumber }
}

/// The row of an erasure whose deletion is pending.
package struct ErasureRow: Sendable, Hashable {
    /// The decision number of the erasure.
    ///
    /// The erasure covers the events with a lower decision number.
    package var number: UInt64
    /// The user's hash, or `nil` for all users.
    package var user: UserHash?

    package init(number: UInt64, user: UserHash?) {
        self.number = number
        self.user = user
    }

    /// Whether the erasure covers the events of a segment.
    ///
    /// A segment whose user is unknown because of damage may contain any user's events.
    ///
    /// - Parameters:
    ///   - user: The user's hash of the segment.
    ///   - decision: The decision number of the segment's events.
    package func covers(_ user: UserHash?, _ decision: UInt64) -> Bool {
        decision < number && (self.user == nil || user == nil || user == self.user)
    }
}

extension ErasureRow: OutboxRow {
    static let table = RowTable.erasure

    var rowKey: [UInt8] { [UInt8](key: number) }

    init?(rowKey key: [UInt8]) {
        guard let number = key.integerKey else { return nil }
        self.init(number: number, user: nil)
    }

    mutating func code(_ coder: inout RowCoder) { coder.code(&user) }

    var isPossible: Bool { number <= PrivacyRows.greatestNumber }
}

/// The row that describes the whole file.
package struct PrivacyStateRow: Sendable, Equatable {
    /// The greatest decision number of all decisions, erasures and events.
    package var number: UInt64 = 0
    /// The decision number of the last denial or erasure whose deletion is pending, or 0 if no deletion is pending.
    package var scrub: UInt64 = 0
    /// The installation's id, which is stored only while the user agrees to some purpose.
    package var installation: String?
    /// The session that continues after a restart, which is stored only while the user agrees to some purpose.
    package var session: StoredSession?
    /// The expected count of decision rows.
    ///
    /// If fewer rows are found, a row was lost.
    package var decisions = 0
    /// The expected count of pending-erasure rows.
    package var erasures = 0
    /// The greatest decision number of the app applied by this process, an extension, or 0.
    package var followed: UInt64 = 0

    package init() {}
}

extension PrivacyStateRow: OutboxRow {
    static let table = RowTable.state

    var rowKey: [UInt8] { [] }

    init?(rowKey key: [UInt8]) {
        guard key.isEmpty else { return nil }
        self.init()
    }

    mutating func code(_ coder: inout RowCoder) {
        coder.code(&number)
        coder.code(&scrub)
        coder.code(&installation, from: "") { $1.code(&$0) }
        coder.code(&session, from: .empty) { session, coder in
            coder.code(&session.id, limit: RowText.longest)
            coder.code(&session.start)
            coder.code(&session.number)
            coder.code(&session.last)
        }
        coder.code(&decisions)
        coder.code(&erasures)
        coder.code(&followed)
    }

    var isPossible: Bool { max(number, scrub) <= PrivacyRows.greatestNumber && session?.isStorable ?? true }
}

/// The decisions, the pending erasures and the state of a file.
package struct PrivacyRows: Sendable, Equatable {
    /// The greatest plausible decision number.
    ///
    /// A greater one counts as damage.
    package static let greatestNumber: UInt64 = 1 << 48

    package var decisions: [DecisionRow] = []
    package var erasures: [ErasureRow] = [] {
        didSet { numbers = PrivacyRows.numbers(of: erasures) }
    }
    package var state = PrivacyStateRow()
    /// Whether the row of the state is damaged or missing, so a deletion may be pending.
    package var isStateLost = false
    /// The sorted decision numbers of ``erasures`` by user, and under `nil` those of all users.
    private var numbers: [UserHash?: [UInt64]] = [:]

    package init() {}

    /// Creates a value with only erasures.
    package init(erasures: [ErasureRow]) {
        (self.erasures, numbers) = (erasures, PrivacyRows.numbers(of: erasures))
    }

    /// Creates the value of stored rows, of which the row of the state may be missing.
    init(_ state: PrivacyStateRow?, _ decisions: [DecisionRow], _ erasures: [ErasureRow]) {
        self.init(erasures: erasures)
        self.decisions = decisions
        (self.state, isStateLost) = (state ?? PrivacyStateRow(), state == nil)
    }

    private static func numbers(of erasures: [ErasureRow]) -> [UserHash?: [UInt64]] {
        Dictionary(grouping: erasures.sorted(by: \.number), by: \.user).mapValues { $0.map(\.number) }
    }

    /// Whether there are no rows.
    var isEmpty: Bool { isStateLost && decisions.isEmpty && erasures.isEmpty && number == 0 }

    /// Whether a decision's row is damaged or missing.
    package var lacksDecisions: Bool { isStateLost || decisions.count < state.decisions }

    /// Whether the row of a pending erasure is damaged or missing.
    package var lacksErasures: Bool { !isStateLost && erasures.count < state.erasures }

    /// Whether it is certain that no deletion is pending.
    package var isClean: Bool { !isStateLost && state.scrub == 0 }

    /// Returns the decision's row of a purpose.
    package func decision(about purpose: String) -> DecisionRow? { decisions.first { $0.purpose == purpose } }

    /// The greatest decision number of all rows.
    package var number: UInt64 {
        (decisions.flatMap { [$0.number, $0.denial] } + erasures.map(\.number) + [state.number, state.scrub]).max() ?? 0
    }

    /// Returns the rows for a file that replaces a damaged one, in which the loss of rows remains visible.
    var forReplacement: PrivacyRows {
        var rows = self
        if lacksDecisions { rows.state.decisions = max(state.decisions, decisions.count + 1) }
        if isStateLost {
            rows.state.number = max(1, number)
            rows.state.scrub = rows.state.number
        }
        rows.isStateLost = false
        return rows
    }

    /// Treats all decisions as lost if the file is older than its durability checkpoint and lacks the last ones.
    mutating func compare(with checkpoint: DurabilityCheckpoint?) {
        guard let checkpoint, checkpoint.number > number else { return }
        (decisions, isStateLost) = ([], true)
        state.number = checkpoint.number
    }

    /// Whether a pending erasure covers the events of a segment.
    package func isErased(_ user: UserHash?, _ decision: UInt64) -> Bool {
        erasure(of: user, decision) != nil
    }

    /// Returns the decision number of the first pending erasure that covers the events of a segment.
    ///
    /// Except for a damaged segment, the number of pending erasures of other users does not matter.
    package func erasure(of user: UserHash?, _ decision: UInt64) -> UInt64? {
        guard !erasures.isEmpty else { return nil }
        guard let user else { return erasures.lazy.filter { $0.covers(nil, decision) }.map(\.number).min() }
        guard let own = firstNumber(of: user, after: decision) else { return firstNumber(of: nil, after: decision) }
        return min(own, firstNumber(of: nil, after: decision) ?? own)
    }

    private func firstNumber(of user: UserHash?, after decision: UInt64) -> UInt64? {
        guard let numbers = numbers[user], let last = numbers.last, decision < last else { return nil }
        return numbers.first { decision < $0 }
    }
}
