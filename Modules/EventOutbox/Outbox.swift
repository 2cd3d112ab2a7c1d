import CSQLite
package import CoreTracker
package import EventBuffer

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Where events wait on this device: packs, batches, quarantine and books, changed in transactions.
///
/// Contract: `commit` is atomic and, when it returns, survives a killed process; with `barrier` it and everything
/// before it survives a power loss. An error leaves everything as it was before the call, and never deletes anything.
/// A damaged row is not an error: a pack comes back with a count that its records do not reach, a lane says that it is
/// damaged, any other row is left out. An outbox is used from one executor only and blocks it for the time of its I/O.
/// Checked by `OutboxContract` in `EventDeliveryTesting`.
package protocol Outbox: AnyObject {
    /// Applies a change in one transaction.
    func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError)
    /// Everything that is kept of lanes.
    func lanes() throws(OutboxError) -> [StoredLane]
    /// The open batches of a lane, in order of their first pack.
    func batches(lane: Int) throws(OutboxError) -> [StoredBatch]
    /// The next deliverable packs of a lane after a place, in order, without their records.
    func summaries(lane: Int, after place: PackPlace?, limit: Int) throws(OutboxError) -> [PackSummary]
    /// One deliverable pack; `nil` when it is gone or its row is damaged beyond its records.
    func pack(at place: PackPlace) throws(OutboxError) -> Pack?
    /// The last deliverable or held pack of a lane.
    func lastSummary(lane: Int) throws(OutboxError) -> PackSummary?
    /// What a lane stores, by the outbox's own running count; it costs the same however much that is.
    func usage(lane: Int) throws(OutboxError) -> LaneUsage
    /// Counts anew what a lane stores, for when rows were damaged; reads every row.
    func recount(lane: Int) throws(OutboxError) -> LaneUsage
    /// The packs of a lane that wait for consent, oldest first; few, since their budget is small.
    func heldPacks(lane: Int) throws(OutboxError) -> [Pack]
    /// The quarantined events of a lane, or of all lanes, oldest first.
    func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent]
    /// Deletes all packs, held packs, batches and quarantined events of lanes and applies a change, in one transaction.
    ///
    /// Bytes of what it deletes may stay on the disk until ``scrub()``.
    func erase(_ lanes: [StoredLane], with change: OutboxChange) throws(OutboxError)
    /// Leaves no byte on the disk of what was deleted by ``erase(_:with:)``; after an error some may be left.
    ///
    /// It rewrites what remains: once in the log and once in the file.
    func scrub() throws(OutboxError)
    /// Does the upkeep that can wait for a quiet moment.
    func maintain() throws(OutboxError)
    /// Whether the next process would find what is stored: false once a file was unlinked or replaced.
    var isPresent: Bool { get }
    /// Writes out and closes; no call may follow.
    func close()
}

extension Outbox {
    /// Goes through the deliverable packs of a lane in their order, in constant memory, until the body returns false.
    package func forEachSummary(
        lane: Int,
        _ body: (PackSummary) throws(OutboxError) -> Bool
    ) throws(OutboxError) {
        var place: PackPlace?
        while true {
            let page = try summaries(lane: lane, after: place, limit: 256)
            for summary in page where !(try body(summary)) { return }
            guard let last = page.last else { return }
            place = last.place
        }
    }
}

/// What one transaction changes; all of it happens or nothing does.
///
/// Removals come first, then grants, then insertions, so a pack can be replaced in place. Books and rows change
/// together, which is what keeps the ledger true across a crash.
package struct OutboxChange: Sendable {
    package var removed: [PackPlace] = []
    package var inserted: [Pack] = []
    package var removedHeld: [PackPlace] = []
    package var insertedHeld: [Pack] = []
    /// Lanes whose held packs become deliverable.
    package var grantedLanes: [Int] = []
    package var removedBatches: [EventID] = []
    package var savedBatches: [StoredBatch] = []
    package var removedQuarantined: [EventID] = []
    package var insertedQuarantined: [QuarantinedEvent] = []
    package var lanes: [StoredLane] = []
    /// How far all that the outbox holds then is cleared.
    package var clearance: Clearance?

    package init() {}

    /// Whether it changes nothing.
    package var isEmpty: Bool {
        removed.isEmpty && inserted.isEmpty && removedHeld.isEmpty && insertedHeld.isEmpty && grantedLanes.isEmpty
            && removedBatches.isEmpty && savedBatches.isEmpty && removedQuarantined.isEmpty
            && insertedQuarantined.isEmpty && lanes.isEmpty && clearance == nil
    }

    /// Stores a lane's row, in the place of one that the change has for it already.
    package mutating func note(_ lane: StoredLane) {
        lanes.removeAll { $0.number == lane.number }
        lanes.append(lane)
    }
}

/// Which denials and erasures have been applied to a queue file, so that the next start applies the rest.
package struct Clearance: Sendable, Equatable {
    /// The number of the last erasure that has taken effect.
    package var erasure: UInt64
    /// By purpose, the number of the last denial that has taken effect.
    package var denials: [String: UInt64]

    package init(erasure: UInt64, denials: [String: UInt64]) {
        self.erasure = erasure
        self.denials = denials
    }
}

/// Everything that one outbox holds, on its way into another one.
package struct OutboxContents: Sendable {
    package var lanes: [StoredLane] = []
    package var packs: [Pack] = []
    package var held: [Pack] = []
    package var batches: [StoredBatch] = []
    package var quarantined: [QuarantinedEvent] = []
    /// How far it is cleared; `nil` if that is lost.
    package var clearance: Clearance?
    /// The events that were found missing.
    package private(set) var losses: [LaneID: Int] = [:]
    /// The places of packs that have lost records.
    private var harmed: Set<PackPlace> = []

    package init() {}

    /// Reads all that is sound of an outbox's lanes; what is missing is counted in their books.
    ///
    /// - Parameter refused: The numbers of the lanes whose events a denial still has to delete from the disk. It has
    ///   already deleted the missing ones from memory.
    package init(of outbox: any Outbox, lanes: [StoredLane], refused: Set<Int> = []) throws(OutboxError) {
        self.lanes = lanes
        for lane in lanes {
            try outbox.forEachSummary(lane: lane.number) { summary throws(OutboxError) in
                if let pack = try outbox.pack(at: summary.place) { add(pack, isHeld: false) }
                return true
            }
            for pack in try outbox.heldPacks(lane: lane.number) { add(pack, isHeld: true) }
            batches += try outbox.batches(lane: lane.number)
        }
        quarantined = try outbox.quarantined(lane: nil, limit: .max)
        countLosses(refused: refused)
    }

    /// Adds what is sound of a pack; a batch that it is part of is dissolved when that is not all of it.
    package mutating func add(_ pack: Pack, isHeld: Bool) {
        let records = pack.read()
        if records.count != pack.count { harmed.insert(pack.place) }
        guard !records.isEmpty else { return }
        let sound = records.count == pack.count ? pack : pack.replacing(records: records)
        if isHeld { held.append(sound) } else { packs.append(sound) }
    }

    /// Events in packs, held ones included.
    package var pendingEvents: Int { (packs + held).reduce(0) { $0 + $1.count } }

    /// The change that brings all of it into an empty outbox, every pack to its own place.
    package var change: OutboxChange {
        var change = OutboxChange()
        change.inserted = packs
        change.insertedHeld = held
        change.savedBatches = batches
        change.insertedQuarantined = quarantined
        change.lanes = lanes
        return change
    }

    /// Makes each lane's books agree with what was found: what is missing is counted as damaged, what the books do not
    /// know as accepted; batches that lack a pack are dissolved.
    ///
    /// In the lanes whose numbers are in `refused`, missing events are counted as refused instead.
    package mutating func countLosses(refused: Set<Int> = []) {
        let found = Dictionary((packs + held).map { ($0.place.lane, $0.count) }, uniquingKeysWith: +)
        for index in lanes.indices {
            let (id, number) = (lanes[index].id, lanes[index].number)
            let isRefused = refused.contains(number)
            let lost = lanes[index].ledger.agree(
                pending: found[number] ?? 0,
                quarantined: quarantined.count { $0.lane == id },
                missing: isRefused ? .consentDenied : .corrupted
            )
            if lost > 0, !isRefused { losses[id] = lost }
        }
        let whole = Set(packs.map(\.place)).subtracting(harmed)
        batches.removeAll { batch in !batch.packs.allSatisfy(whole.contains) }
    }
}

extension OutboxError {
    /// There is no directory.
    package static let missing = OutboxError.unavailable(code: ENOENT)

    /// A sync that failed.
    static let failedSync = OutboxError.failed(code: SQLITE_IOERR | (4 << 8))

    /// Whether a sync failed: nobody knows then what has reached the disk, and a second sync would not tell.
    package var isFailedSync: Bool {
        guard case .failed(let code) = self else { return false }
        return [SQLITE_IOERR | (4 << 8), SQLITE_IOERR | (5 << 8)].contains(code)
    }

    /// The error for a code of the operating system.
    static func system(_ code: Int32) -> OutboxError {
        code == ENOSPC || code == EDQUOT ? .full : .unavailable(code: code)
    }
}

extension Outbox {
    /// Deletes all that is stored of lanes, so that no byte of it stays on the disk.
    package func purge(_ lanes: [StoredLane]) throws(OutboxError) {
        try erase(lanes, with: OutboxChange())
        try scrub()
    }
}
