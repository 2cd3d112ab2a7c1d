import CLibrary
import CoreTracker
import Locks

/// A part of the event buffer, for some of the threads.
///
/// A call holds the lock for some tens of nanoseconds, and never waits under it. If the system suspends a thread in
/// that time, only threads of the same shard wait.
final class BufferShard: Sendable {
    private let state: Mutex<State>
    /// The number of attempts to take the lock before waiting, and the number after which each attempt yields first.
    private static let attempts = (all: 256, yielding: 16)
    /// The maximum number of events in a chunk of the buffer.
    private static let chunkSize = 64

    init(_ identity: CurrentIdentity) {
        state = Mutex(State(identity))
    }

    /// Runs a block on the state, under the lock.
    ///
    /// The lock is usually free again before a thread could be suspended. A thread therefore makes several attempts,
    /// which take some microseconds, before it waits. Waiting threads pass the lock from one suspended thread to the
    /// next, and each waits until the system wakes it.
    ///
    /// - Parameter body: The block, which must not wait.
    /// - Returns: The result of the block.
    func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        for attempt in 0..<BufferShard.attempts.all {
            if let result = state.withLockIfAvailable(body) { return result }
            if attempt >= BufferShard.attempts.yielding { sched_yield() }
        }
        return state.withLock(body)
    }
}

extension BufferShard {
    /// The state protected by the lock.
    struct State: Sendable {
        /// The buffered events in chunks, in the order of their ids.
        ///
        /// No chunk is empty.
        private var chunks: [[BufferedEvent]] = []
        /// The number of buffered events.
        private(set) var count = 0
        /// The number of buffered events without relaxed durability.
        private(set) var urgent = 0
        /// The time of the first relaxed event or loss, if any.
        ///
        /// They may wait for a second.
        private var relaxedSince: MonotonicInstant?
        /// The counts of dropped events not yet taken by the writer, by lane and reason.
        private(set) var refused: [Int: [DropReason: Int]] = [:]
        /// The counts of losses already reported by a diagnostic, by lane and reason.
        private var reported: [Int: [DropReason: Int]] = [:]
        /// A cache of the lanes requested by the shard's threads.
        var lanes: [LaneID: (index: Int, consent: LaneConsent)] = [:]
        /// The identity at the last read, and its version.
        private var frozen: (identity: FrozenIdentity, version: Int)
        private var admission: (rules: (any EventAdmission)?, version: Int) = (nil, 0)
        /// The latest refused events, except events covered by a denial or an erasure.
        private(set) var refusals = RecentRefusals()

        init(_ current: CurrentIdentity) {
            frozen = current.frozen
        }

        /// The buffered events.
        var entries: some BidirectionalCollection<BufferedEvent> { chunks.joined() }

        /// The time by which relaxed events and losses must be stored, or `nil` if there are none.
        var relaxedDue: MonotonicInstant? { relaxedSince?.advanced(by: .seconds(1)) }

        /// Returns the identity of a new event.
        ///
        /// - Parameter current: The engine's identity, which is read only if it has changed since the last call.
        mutating func identity(_ current: CurrentIdentity) -> FrozenIdentity {
            if frozen.version != current.version { frozen = current.frozen }
            return frozen.identity
        }

        /// Returns the reason if the rules in effect drop a new event, or `nil`.
        ///
        /// It is not inlined, so calls without rules do not pay for it.
        ///
        /// - Parameters:
        ///   - current: The rules in effect, which are read only if they have changed since the last call.
        ///   - name: The event's name.
        ///   - lane: The event's lane.
        ///   - identity: The event's identity.
        ///   - now: The time at which the event counts towards a rate.
        @inline(never)
        mutating func refusal(
            by current: CurrentAdmission,
            of name: String,
            on lane: LaneID,
            _ identity: FrozenIdentity,
            at now: MonotonicInstant
        ) -> DropReason? {
            if admission.version != current.version { admission = current.frozen }
            return admission.rules?.refusal(of: name, on: lane, identity.identity, countedAt: now)
        }

        /// Buffers an event.
        ///
        /// The buffer grows by chunks, so no call moves the buffered events.
        ///
        /// - Parameters:
        ///   - entry: The event.
        ///   - now: The current time.
        /// - Returns: Whether it is the first relaxed event, which starts the wait of at most a second.
        mutating func append(_ entry: consuming BufferedEvent, now: MonotonicInstant) -> Bool {
            let isRelaxed = entry.options.durability == .relaxed
            if chunks.isEmpty || chunks[chunks.count - 1].count == BufferShard.chunkSize {
                var chunk: [BufferedEvent] = []
                chunk.reserveCapacity(BufferShard.chunkSize)
                chunks.append(chunk)
            }
            chunks[chunks.count - 1].append(entry)
            count += 1
            if !isRelaxed { urgent += 1 }
            guard isRelaxed, relaxedSince == nil else { return false }
            relaxedSince = now
            return true
        }

        /// Counts an event that was not buffered.
        ///
        /// A denial by the user is no loss: its count is stored with the next event, without a deadline.
        ///
        /// - Parameters:
        ///   - lane: The lane's index.
        ///   - reason: The reason.
        ///   - id: The event's id, if it has one.
        ///   - now: The current time.
        /// - Returns: Whether it is the first loss, which starts the wait of at most a second, and whether a diagnostic
        ///   must be sent.
        mutating func refuse(
            lane: Int,
            _ reason: DropReason,
            id: EventID? = nil,
            now: MonotonicInstant
        ) -> (startsWait: Bool, isFirst: Bool) {
            count(lane: lane, reason, id)
            guard reason != .consentDenied else { return (false, false) }
            let startsWait = relaxedSince == nil
            relaxedSince = relaxedSince ?? now
            return (startsWait, report(lane, reason))
        }

        /// Marks a loss as reported if it is the first with its reason since the writer took the counts.
        ///
        /// - Parameters:
        ///   - lane: The lane's index.
        ///   - reason: The reason.
        /// - Returns: Whether a diagnostic must be sent.
        mutating func report(_ lane: Int, _ reason: DropReason) -> Bool {
            guard reported[lane]?[reason] == nil else { return false }
            reported[lane, default: [:]][reason] = 1
            return true
        }

        /// Adds the counts of a group again, which could not be stored.
        mutating func putBackRefusals(of group: BufferedGroup, now: MonotonicInstant) {
            guard !group.refused.isEmpty else { return }
            for (lane, counts) in group.refused { refused[lane, default: [:]].add(counts) }
            for (lane, counts) in group.reported { reported[lane, default: [:]].add(counts) }
            relaxedSince = relaxedSince ?? now
        }

        private mutating func count(lane: Int, _ reason: DropReason, _ id: EventID?) {
            refused[lane, default: [:]][reason, default: 0] += 1
            if let id, reason != .consentDenied, reason != .erased { refusals.record(id, lane: lane, reason) }
        }

        /// Moves the events up to an id, and all counts of dropped events, into a group.
        ///
        /// - Parameters:
        ///   - last: The highest id.
        ///   - group: The group.
        mutating func move(upTo last: EventID, into group: inout BufferedGroup) {
            guard count > 0 || !refused.isEmpty || !reported.isEmpty else { return }
            for (lane, counts) in refused { group.refused[lane, default: [:]].add(counts) }
            for (lane, counts) in reported { group.reported[lane, default: [:]].add(counts) }
            (refused, reported) = ([:], [:])
            let whole = chunks.prefix { $0.last.map { $0.id <= last } ?? true }
            group.chunks += whole
            chunks.removeFirst(whole.count)
            if let later = chunks.first?.firstIndex(where: { $0.id > last }), later > 0 {
                group.chunks.append(Array(chunks[0].prefix(later)))
                chunks[0].removeFirst(later)
            }
            recount()
        }

        /// Removes the events that match a condition, and counts them.
        ///
        /// - Parameters:
        ///   - reason: Their drop reason.
        ///   - isGone: The condition.
        /// - Returns: The removed events.
        mutating func remove(_ reason: DropReason, where isGone: (BufferedEvent) -> Bool) -> [BufferedEvent] {
            let removed = entries.filter(isGone)
            guard !removed.isEmpty else { return [] }
            for index in chunks.indices { chunks[index].removeAll(where: isGone) }
            chunks.removeAll(where: \.isEmpty)
            for entry in removed { count(lane: entry.lane, reason, entry.id) }
            recount()
            return removed
        }

        private mutating func recount() {
            count = chunks.reduce(0) { $0 + $1.count }
            // An index avoids a copy of each entry.
            urgent = chunks.reduce(0) { sum, chunk in
                sum + chunk.indices.count { chunk[$0].options.durability != .relaxed }
            }
            if urgent == count { relaxedSince = nil }
        }
    }
}
