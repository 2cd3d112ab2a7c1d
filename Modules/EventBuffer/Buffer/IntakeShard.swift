package import CoreTracker
import Locks

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A part of the intake's buffer, for some of the threads, with what a call needs under one lock.
///
/// A call holds the lock for some tens of nanoseconds; nothing is done under it that could wait. A thread that the
/// system puts to sleep in that time keeps only the threads of its own shard waiting.
final class IntakeShard: Sendable {
    private let state: Mutex<State>
    /// How often a thread tries to get the lock before it waits, and from when on it lets other threads run meanwhile.
    private static let attempts = (all: 256, yielding: 16)
    /// The most events of one chunk of the buffer.
    private static let chunkSize = 64

    init(_ identity: CurrentIdentity) {
        state = Mutex(State(identity))
    }

    /// Runs a block on the state, under the lock.
    ///
    /// The lock is mostly free again before a thread could be put to sleep, so a thread tries several times, which
    /// takes some microseconds, before it lines up. Threads that line up hand the lock on from one sleeper to the next,
    /// and all of them then wait for the system to wake each.
    func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        for attempt in 0..<IntakeShard.attempts.all {
            if let result = state.withLockIfAvailable(body) { return result }
            if attempt >= IntakeShard.attempts.yielding { sched_yield() }
        }
        return state.withLock(body)
    }
}

extension IntakeShard {
    /// What the lock guards.
    struct State: Sendable {
        /// Buffered events in chunks, in the order of their ids; no chunk is empty.
        private var chunks: [[IntakeEntry]] = []
        /// How many events are buffered.
        private(set) var count = 0
        /// Those of them that are not relaxed.
        private(set) var urgent = 0
        /// When the first of the relaxed ones, or of the losses, came; they may wait for a second.
        private var relaxedSince: MonotonicInstant?
        /// Refusals by lane that the writer has not taken.
        private(set) var refused: [Int: [DropReason: Int]] = [:]
        /// The lanes that threads of the shard have asked for.
        var lanes: [LaneID: (index: Int, consent: LaneConsent)] = [:]
        private var identity: FrozenIdentity
        private var version: Int

        init(_ current: CurrentIdentity) {
            (identity, version) = current.frozen
        }

        /// The buffered events.
        var entries: some BidirectionalCollection<IntakeEntry> { chunks.joined() }

        /// When the relaxed events and the losses have to be stored at the latest; `nil` when there are none.
        var relaxedDue: MonotonicInstant? { relaxedSince?.advanced(by: .seconds(1)) }

        /// The identity to freeze into an event that is tracked now.
        mutating func identity(_ current: CurrentIdentity) -> FrozenIdentity {
            if version != current.version { (identity, version) = current.frozen }
            return identity
        }

        /// Buffers an event; answers whether it is the first relaxed one.
        ///
        /// A buffer grows by chunks, so that no call has to move what is buffered already.
        mutating func append(_ entry: consuming IntakeEntry, now: MonotonicInstant) -> Bool {
            let isRelaxed = entry.options.durability == .relaxed
            if chunks.isEmpty || chunks[chunks.count - 1].count == IntakeShard.chunkSize {
                var chunk: [IntakeEntry] = []
                chunk.reserveCapacity(IntakeShard.chunkSize)
                chunks.append(chunk)
            }
            chunks[chunks.count - 1].append(entry)
            count += 1
            if !isRelaxed { urgent += 1 }
            guard isRelaxed, relaxedSince == nil else { return false }
            relaxedSince = now
            return true
        }

        /// Counts an event that is not taken; returns whether it is the first of those that are stored within a second.
        ///
        /// What the user refuses has been lost to nobody: its count waits for the next event.
        mutating func refuse(lane: Int, _ reason: DropReason, now: MonotonicInstant) -> Bool {
            count(lane: lane, reason)
            guard reason != .consentDenied, relaxedSince == nil else { return false }
            relaxedSince = now
            return true
        }

        private mutating func count(lane: Int, _ reason: DropReason) {
            refused[lane, default: [:]][reason, default: 0] += 1
        }

        /// Moves the events up to an id, and all refusals, into a group.
        mutating func move(upTo last: EventID, into group: inout IntakeGroup) {
            group.refused.merge(refused) { $0.merging($1, uniquingKeysWith: +) }
            refused = [:]
            let whole = chunks.prefix { $0.last.map { $0.id <= last } ?? true }
            group.chunks += whole
            chunks.removeFirst(whole.count)
            if let later = chunks.first?.firstIndex(where: { $0.id > last }), later > 0 {
                group.chunks.append(Array(chunks[0].prefix(later)))
                chunks[0].removeFirst(later)
            }
            recount()
        }

        /// Gives up the events that a condition holds for.
        mutating func remove(_ reason: DropReason, where isGone: (IntakeEntry) -> Bool) -> [IntakeEntry] {
            let removed = entries.filter(isGone)
            guard !removed.isEmpty else { return [] }
            for index in chunks.indices { chunks[index].removeAll(where: isGone) }
            chunks.removeAll(where: \.isEmpty)
            for entry in removed { count(lane: entry.lane, reason) }
            recount()
            return removed
        }

        private mutating func recount() {
            count = entries.count
            urgent = entries.count { $0.options.durability != .relaxed }
            if urgent == count { relaxedSince = nil }
        }
    }
}

/// One tracked event in memory, before it is encoded and stored.
package struct IntakeEntry: Sendable {
    package let lane: Int
    package let options: TrackOptions
    package let id: EventID
    package let time: Timestamp
    package let identity: FrozenIdentity
    package let name: String
    package let parameters: EventParameters
    package let defaults: EventParameters
    package let receipt: PendingReceipt?
    /// The room that the event has taken.
    var share = IntakeRoom.Share()

    /// Tells whoever waits for the event what has become of it.
    package func answer(_ outcome: Receipt.Outcome) {
        receipt?.resume(returning: Receipt(id: id, outcome: outcome))
    }
}

/// What the writer takes from the intake in one go.
package struct IntakeGroup: Sendable {
    /// Events as the shards have buffered them: each chunk in the order of its ids.
    package var chunks: [[IntakeEntry]] = []
    /// Refusals by lane that the stored ledgers do not hold yet.
    package var refused: [Int: [DropReason: Int]] = [:]
    /// The last word about each lane's purpose when the group was taken.
    package var words: [ConsentWord] = []

    package var isEmpty: Bool { chunks.isEmpty && refused.isEmpty }

    /// How many events there are.
    package var count: Int { chunks.reduce(0) { $0 + $1.count } }

    /// The room that all of them have taken.
    var share: IntakeRoom.Share {
        var share = IntakeRoom.Share()
        for chunk in chunks {
            // An entry is not copied for its room's sake.
            for index in chunk.indices { share += chunk[index].share }
        }
        return share
    }

    /// Goes through all events in the order of their ids, which is that in which they were tracked.
    package func forEach(_ body: (IntakeEntry) -> Void) {
        var next = [Int](repeating: 0, count: chunks.count)
        while let (chunk, end) = lowest(from: next) {
            let entries = chunks[chunk]
            repeat {
                body(entries[next[chunk]])
                next[chunk] += 1
            } while next[chunk] < entries.count && entries[next[chunk]].id < end
        }
    }

    /// The chunk that goes on with the lowest id, and the lowest id of the other ones.
    private func lowest(from next: [Int]) -> (chunk: Int, end: EventID)? {
        let last = EventID(high: .max, low: .max)
        var (chunk, lowest, end) = (Int?.none, last, last)
        for index in chunks.indices where next[index] < chunks[index].count {
            let id = chunks[index][next[index]].id
            if id < lowest {
                (chunk, lowest, end) = (index, id, lowest)
            } else if id < end {
                end = id
            }
        }
        return chunk.map { ($0, end) }
    }
}
