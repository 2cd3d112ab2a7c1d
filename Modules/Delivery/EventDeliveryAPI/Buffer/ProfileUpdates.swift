package import CoreTracker
import Locks

/// A call that updates a profile, with the moment and the identity of the call.
///
/// It is a class, so passing none with an ordinary event costs one pointer.
package final class UpdateCall: Sendable {
    /// The kind of the update.
    package let kind: ProfileUpdate
    /// The parameters of its event.
    let parameters: EventParameters
    /// The names of the removed traits.
    package let removed: [ParameterKey]
    /// The group, or the earlier id of an alias.
    let subject: String
    /// The time of the call.
    let time: Timestamp
    /// The number of the last decision or erasure before the call.
    let number: UInt64
    /// The identity of the event.
    let identity: FrozenIdentity
    /// The reason if the update must be dropped, or `nil`.
    let refusal: DropReason?

    init(
        kind: ProfileUpdate,
        parameters: EventParameters,
        removing removed: [ParameterKey] = [],
        subject: String,
        time: Timestamp,
        number: UInt64,
        identity: FrozenIdentity,
        refusal: DropReason? = nil
    ) {
        (self.kind, self.parameters, self.removed, self.subject) = (kind, parameters, removed, subject)
        (self.time, self.number, self.identity, self.refusal) = (time, number, identity, refusal)
    }
}

/// The profile updates waiting for the destinations, and the hashes of updates accepted by all lanes.
///
/// A hash is 64 bits with a random seed of the process, so no value stays in memory.
struct ProfileUpdates: Sendable {
    /// The maximum number of waiting updates.
    static let maximumWaiting = 256
    /// The maximum number of users and groups whose accepted updates are known.
    ///
    /// An update of another one is sent again.
    static let maximumSubjects = 256
    /// The maximum number of accepted parameters of a user or a group.
    ///
    /// With more of them, its updates are sent again.
    static let maximumParameters = 1_024

    private var waiting: [UpdateCall] = []
    /// The number of updates dropped because too many were waiting.
    private var excess: [ProfileUpdate: Int] = [:]
    /// The hash of each accepted parameter by the hash of its key, for each hash of a user or a group.
    private var accepted: [Int: [Int: Int]] = [:]
    /// The keys of ``accepted``, the oldest first.
    private var subjects: [Int] = []
    /// The number of the last decision or erasure for which ``accepted`` is valid.
    private var number: UInt64 = 0

    /// Adds an update, and drops the oldest one if too many are waiting.
    mutating func add(_ call: UpdateCall) {
        waiting.append(call)
        guard waiting.count > ProfileUpdates.maximumWaiting else { return }
        excess[waiting.removeFirst().kind, default: 0] += 1
    }

    /// Removes and returns the waiting updates, and the numbers of dropped ones.
    mutating func takeWaiting() -> (calls: [UpdateCall], excess: [ProfileUpdate: Int]) {
        defer { (waiting, excess) = ([], [:]) }
        return (waiting, excess)
    }

    /// Whether the lanes have accepted everything in an update, and no decision or erasure has followed.
    mutating func isAccepted(_ call: UpdateCall) -> Bool {
        if call.number != number { forgetAccepted() }
        number = call.number
        guard let known = accepted[call.subjectHash] else { return false }
        return call.contentHashes.allSatisfy { known[$0.key] == $0.value }
    }

    /// Records the result of an update.
    ///
    /// After a drop, the lanes may know different values, so nothing of its subject counts as accepted.
    mutating func record(_ call: UpdateCall, isAccepted: Bool) {
        let subject = call.subjectHash
        guard isAccepted else { return forget(subject) }
        if accepted[subject] == nil {
            subjects.append(subject)
            if subjects.count > ProfileUpdates.maximumSubjects { accepted[subjects.removeFirst()] = nil }
        }
        accepted[subject, default: [:]].merge(call.contentHashes) { $1 }
        if accepted[subject, default: [:]].count > ProfileUpdates.maximumParameters { forget(subject) }
    }

    /// Makes all updates of a user or a group new.
    private mutating func forget(_ subject: Int) {
        accepted[subject] = nil
        subjects.removeAll { $0 == subject }
    }

    /// Makes all updates new.
    mutating func forgetAccepted() { (accepted, subjects) = ([:], []) }
}

extension UpdateCall {
    /// A hash of the kind, the installation, the user and the group.
    ///
    /// Two ids with different bytes are different.
    fileprivate var subjectHash: Int {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(identity.identity.deviceID)
        hasher.combine(identity.identity.userHash)
        hasher.combine(identity.identity.sensitiveUser?.policy)
        hasher.combine(Array(subject.utf8))
        return hasher.finalize()
    }

    /// A hash of each parameter, by the hash of its key.
    fileprivate var contentHashes: [Int: Int] {
        var hashes: [Int: Int] = [:]
        for parameter in parameters { hashes[parameter.key.hashValue] = parameter.value.hashValue }
        for parameter in parameters.sensitive { hashes[parameter.key.hashValue] = parameter.hashValue }
        for key in removed { hashes[key.hashValue] = Int.min }
        return hashes
    }
}

extension EventBuffer {
    /// Buffers an update on each lane whose destination supports it, or keeps it until the destinations are known.
    ///
    /// - Parameters:
    ///   - kind: The kind of the update.
    ///   - parameters: The parameters of its event.
    ///   - removed: The names of the removed traits.
    ///   - subject: The group, or the earlier id of an alias.
    ///   - setUser: Sets the user whose profile is updated, or `nil` for the current user.
    func update(
        _ kind: ProfileUpdate,
        _ parameters: EventParameters,
        removing removed: [ParameterKey] = [],
        subject: String = "",
        of setUser: ((inout Identity) -> Void)? = nil
    ) {
        // The number is read first, so a decision or an erasure during this call covers the update.
        let (number, time) = (lastNumber, now)
        var identity = identityOfNextEvent(at: time).identity
        // The profile of a user whose id is not used must not be mistaken for another one.
        let hasLostUser = setUser == nil && TrackingScope.current?.hasLongID == true
        setUser?(&identity)
        let call = UpdateCall(
            kind: kind,
            parameters: parameters,
            removing: removed,
            subject: subject,
            time: time,
            number: number,
            identity: FrozenIdentity(identity),
            refusal: hasLostUser ? .idTooLong : nil
        )
        updates.withLock { updates in
            updates.add(call)
            buffer(&updates)
        }
    }

    /// Returns the identity of a new event, which may start a session.
    package func identityOfNextEvent(at time: Timestamp) -> FrozenIdentity {
        let scope = TrackingScope.current
        if scope?.hasEngineSession ?? true {
            identity.noteTrack(at: clock.monotonicTime(), time: time, ids: ids)
        }
        let current = FrozenIdentity(identity.value)
        return scope?.identity(over: current, at: time) ?? current
    }

    /// Buffers the waiting updates, if the destinations are known.
    func bufferUpdates() {
        updates.withLock { buffer(&$0) }
    }

    /// Buffers the waiting updates, one after the other, so all lanes get them in the same order.
    private func buffer(_ updates: inout ProfileUpdates) {
        let served = withLanes { lanes in
            lanes.isServed ? lanes.lanes.enumerated().map { ($0, $1.id, $1.consent, $1.updates) } : nil
        }
        guard let served else { return }
        let (calls, excess) = updates.takeWaiting()
        for (kind, count) in excess {
            for (lane, _, _, kinds) in served where kinds.contains(kind) {
                for _ in 0..<count { refuse(lane: lane, .bufferFull) }
            }
        }
        for call in calls {
            let targets = served.filter { $0.3.contains(call.kind) }
            if let reason = call.refusal {
                for (lane, _, _, _) in targets { refuse(lane: lane, reason) }
                continue
            }
            guard !targets.isEmpty, !updates.isAccepted(call) else { continue }
            let losses = targets.compactMap { lane, id, consent, _ in
                accept(
                    lane: lane,
                    id: id,
                    consent: consent,
                    name: call.kind.rawValue,
                    parameters: call.parameters,
                    defaults: [:],
                    options: TrackOptions(),
                    update: call
                )
            }
            updates.record(call, isAccepted: losses.isEmpty)
        }
    }
}
