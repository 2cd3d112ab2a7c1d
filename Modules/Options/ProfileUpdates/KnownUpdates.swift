import CoreTracker
import EventTracking

/// An update of a profile.
struct Update: Sendable {
    let call: UpdateCall
    /// The parameters of its event.
    let parameters: EventParameters
    /// The group, or the earlier id of an alias.
    var subject = ""
    /// The reason if the update must be dropped, or `nil`.
    var refusal: DropReason?
}

/// The updates that wait for the destinations.
struct WaitingUpdates: Sendable {
    /// The maximum number of waiting updates.
    static let maximum = 256

    private var updates: [Update] = []
    /// The number of updates dropped because too many were waiting.
    private var excess: [ProfileUpdate: Int] = [:]

    /// Adds an update, and drops the oldest one if too many are waiting.
    mutating func add(_ update: Update) {
        updates.append(update)
        guard updates.count > WaitingUpdates.maximum else { return }
        excess[updates.removeFirst().call.kind, default: 0] += 1
    }

    /// Removes and returns the waiting updates, and the numbers of dropped ones.
    mutating func takeAll() -> (updates: [Update], excess: [ProfileUpdate: Int]) {
        defer { (updates, excess) = ([], [:]) }
        return (updates, excess)
    }
}

/// The hashes of the updates that need not be sent again.
///
/// A hash is 64 bits with a random seed of the process, so no value stays in memory.
struct KnownUpdates: Sendable {
    /// The maximum number of users and groups whose updates are known.
    ///
    /// An update of another one is sent again.
    static let maximumSubjects = 256
    /// The maximum number of known parameters of a user or a group.
    ///
    /// With more of them, its updates are sent again.
    static let maximumParameters = 1_024

    /// The hash of each known parameter by the hash of its key, for each hash of a user or a group.
    private var known: [Int: [Int: Int]] = [:]
    /// The keys of ``known``, the oldest first.
    private var subjects: [Int] = []
    /// The number of the last decision or erasure for which ``known`` is valid.
    private var number: UInt64 = 0

    /// Whether everything in an update is known, and no decision or erasure has followed.
    ///
    /// An operation never is.
    mutating func contains(_ update: Update) -> Bool {
        if update.call.number != number { forgetAll() }
        number = update.call.number
        guard let known = known[update.subjectHash], !update.hasOperation else { return false }
        return update.contentHashes.allSatisfy { known[$0.key] == $0.value }
    }

    /// Records the result of an update.
    ///
    /// After a drop, the lanes may know different values, so nothing of its user or group is known.
    mutating func record(_ update: Update, isAccepted: Bool) {
        let subject = update.subjectHash
        guard isAccepted else { return forget(subject) }
        if known[subject] == nil {
            subjects.append(subject)
            if subjects.count > KnownUpdates.maximumSubjects { known[subjects.removeFirst()] = nil }
        }
        known[subject, default: [:]].merge(update.contentHashes) { $1 }
        if known[subject, default: [:]].count > KnownUpdates.maximumParameters { forget(subject) }
    }

    /// Makes all updates of a user or a group new.
    mutating func forget(_ subject: Int) {
        guard known.removeValue(forKey: subject) != nil else { return }
        subjects.removeAll { $0 == subject }
    }

    /// Makes all updates new.
    mutating func forgetAll() { (known, subjects) = ([:], []) }
}

extension Update {
    /// A hash of the kind, the installation, the user and the group.
    ///
    /// Two ids with different bytes are different.
    var subjectHash: Int {
        let identity = call.identity.identity
        var hasher = Hasher()
        hasher.combine(call.kind)
        hasher.combine(identity.deviceID)
        hasher.combine(identity.userHash)
        hasher.combine(identity.sensitiveUser?.policy)
        hasher.combine(Array(subject.utf8))
        return hasher.finalize()
    }

    /// The parameters of a user's update, or the traits of a group, whose id is part of ``subjectHash``.
    private var traits: EventParameters {
        guard call.kind == .group else { return parameters }
        guard case .object(let traits)? = parameters["traits"] else { return [:] }
        return traits
    }

    /// Whether a trait of the user or the group has an operation.
    fileprivate var hasOperation: Bool { traits.contains { $0.value.traitOperation != nil } }

    /// A hash of each trait, by the hash of its key.
    fileprivate var contentHashes: [Int: Int] {
        var hashes: [Int: Int] = [:]
        for trait in traits { hashes[trait.key.hashValue] = trait.value.byteHash }
        for trait in traits.sensitive { hashes[trait.key.hashValue] = trait.hashValue }
        for key in call.removed { hashes[key.hashValue] = Int.min }
        return hashes
    }
}

extension ParameterValue {
    /// A hash in which texts of different bytes differ, as they do at a receiver.
    fileprivate var byteHash: Int {
        var hasher = Hasher()
        combineBytes(into: &hasher)
        return hasher.finalize()
    }

    private func combineBytes(into hasher: inout Hasher) {
        switch self {
        case .string(let text): hasher.combine(Array(text.utf8))
        case .array(let elements):
            hasher.combine(elements.count)
            for element in elements { element.combineBytes(into: &hasher) }
        case .object(let members):
            hasher.combine(members.count)
            for member in members {
                hasher.combine(Array(member.key.name.utf8))
                member.value.combineBytes(into: &hasher)
            }
            hasher.combine(members.sensitive)
        default: hasher.combine(self)
        }
    }
}
