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

/// The storage for events on this device: segments, batches, quarantine and ledgers, changed in transactions.
///
/// Contract: a change survives a killed process when `commit` returns. With `barrier`, it and all earlier changes
/// survive a power loss. `commit` is atomic. An error leaves everything as it was before the call, and never deletes
/// anything.
///
/// A damaged row is not an error. A damaged segment has a count greater than the number of its records. A damaged lane
/// has ``StoredLane/isDamaged`` set. Any other damaged row is left out.
///
/// An outbox is used from one executor only, and blocks it during I/O. `OutboxContract` in `EventDeliveryTesting`
/// checks this contract.
package protocol Outbox: AnyObject {
    /// Applies a change in one transaction.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - barrier: Whether this and all earlier changes must survive a power loss.
    /// - Throws: The storage error. Nothing is changed then.
    func commit(_ change: OutboxChange, barrier: Bool) throws(OutboxError)
    /// Returns the rows of all lanes.
    func lanes() throws(OutboxError) -> [StoredLane]
    /// Returns the open batches of a lane, ordered by their first segment.
    func batches(lane: Int) throws(OutboxError) -> [StoredBatch]
    /// Returns the next deliverable segments of a lane in order, without their records.
    ///
    /// - Parameters:
    ///   - lane: The lane's number.
    ///   - place: The place after which to begin, or `nil` for the lane's first segment.
    ///   - limit: The maximum number of summaries.
    /// - Returns: The summaries.
    /// - Throws: The storage error.
    func summaries(lane: Int, after place: SegmentPlace?, limit: Int) throws(OutboxError) -> [SegmentSummary]
    /// Returns a deliverable segment, or `nil` if it does not exist or if more than its records is damaged.
    func segment(at place: SegmentPlace) throws(OutboxError) -> Segment?
    /// Returns the last deliverable or held segment of a lane.
    func lastSummary(lane: Int) throws(OutboxError) -> SegmentSummary?
    /// Returns the number and size of a lane's stored events from running counts, in constant time.
    func usage(lane: Int) throws(OutboxError) -> LaneUsage
    /// Counts a lane's stored events again after damage.
    ///
    /// Reads every row of the lane.
    func recount(lane: Int) throws(OutboxError) -> LaneUsage
    /// Returns the segments of a lane that wait for consent, oldest first.
    ///
    /// They are few, because their budget is small.
    func heldSegments(lane: Int) throws(OutboxError) -> [Segment]
    /// Returns the quarantined events of a lane, or of all lanes if `lane` is `nil`, oldest first.
    func quarantined(lane: LaneID?, limit: Int) throws(OutboxError) -> [QuarantinedEvent]
    /// Deletes all segments, batches and quarantined events of lanes, and applies a change in the same transaction.
    ///
    /// The deleted bytes may stay on disk until ``scrub()``.
    ///
    /// - Parameters:
    ///   - lanes: The rows of the lanes after the deletion.
    ///   - change: The change to apply.
    /// - Throws: The storage error. Nothing is changed then.
    func erase(_ lanes: [StoredLane], with change: OutboxChange) throws(OutboxError)
    /// Removes the bytes of deleted events from the disk.
    ///
    /// It writes the remaining contents twice: once to the log and once to the file.
    ///
    /// - Throws: The storage error. Some of the bytes may then remain.
    func scrub() throws(OutboxError)
    /// Does maintenance that can wait until the writer is idle.
    func maintain() throws(OutboxError)
    /// Whether the next process would find the stored events.
    ///
    /// It is `false` after the file was deleted or replaced.
    var isPresent: Bool { get }
    /// Writes all changes and closes the outbox.
    ///
    /// No other call may follow.
    func close()
}

extension Outbox {
    /// Visits the deliverable segments of a lane in order, in constant memory.
    ///
    /// - Parameters:
    ///   - lane: The lane's number.
    ///   - body: Receives each summary. It returns whether to continue.
    /// - Throws: The storage error, or the error that `body` throws.
    package func forEachSummary(
        lane: Int,
        _ body: (SegmentSummary) throws(OutboxError) -> Bool
    ) throws(OutboxError) {
        var place: SegmentPlace?
        while true {
            let page = try summaries(lane: lane, after: place, limit: 256)
            for summary in page where !(try body(summary)) { return }
            guard let last = page.last else { return }
            place = last.place
        }
    }
}

/// The contents of one transaction.
///
/// Removals are applied first, then grants, then insertions, so a segment can be replaced at its place. Ledgers and
/// rows change together, so the ledgers stay correct after a crash.
package struct OutboxChange: Sendable {
    package var removed: [SegmentPlace] = []
    package var inserted: [Segment] = []
    package var removedHeld: [SegmentPlace] = []
    package var insertedHeld: [Segment] = []
    /// The numbers of the lanes whose held segments become deliverable.
    package var grantedLanes: [Int] = []
    package var removedBatches: [EventID] = []
    package var savedBatches: [StoredBatch] = []
    package var removedQuarantined: [EventID] = []
    package var insertedQuarantined: [QuarantinedEvent] = []
    package var lanes: [StoredLane] = []
    /// The denials and erasures that have been applied to all contents after this change, or `nil` for no change.
    package var clearance: Clearance?

    package init() {}

    /// Whether the change is empty.
    package var isEmpty: Bool {
        removed.isEmpty && inserted.isEmpty && removedHeld.isEmpty && insertedHeld.isEmpty && grantedLanes.isEmpty
            && removedBatches.isEmpty && savedBatches.isEmpty && removedQuarantined.isEmpty
            && insertedQuarantined.isEmpty && lanes.isEmpty && clearance == nil
    }

    /// Adds a lane's row, and replaces an earlier row of the same lane.
    ///
    /// - Parameter lane: The row.
    package mutating func note(_ lane: StoredLane) {
        lanes.removeAll { $0.number == lane.number }
        lanes.append(lane)
    }
}

/// A record of the denials and erasures that have been applied to a queue file.
///
/// The next start applies the others.
package struct Clearance: Sendable, Equatable {
    /// The number of the last applied erasure.
    package var erasure: UInt64
    /// The number of the last applied denial of each purpose.
    package var denials: [String: UInt64]

    package init(erasure: UInt64, denials: [String: UInt64]) {
        self.erasure = erasure
        self.denials = denials
    }
}

/// The complete contents of an outbox, to be copied into another one.
package struct OutboxContents: Sendable {
    package var lanes: [StoredLane] = []
    package var segments: [Segment] = []
    package var held: [Segment] = []
    package var batches: [StoredBatch] = []
    package var quarantined: [QuarantinedEvent] = []
    /// The denials and erasures that have been applied to the contents, or `nil` if that record is lost.
    package var clearance: Clearance?
    /// The number of missing events of each lane.
    package private(set) var losses: [LaneID: Int] = [:]
    /// The places of segments with damaged records.
    private var harmed: Set<SegmentPlace> = []

    package init() {}

    /// Reads all valid contents of an outbox, and counts missing events in the ledgers.
    ///
    /// - Parameters:
    ///   - outbox: The outbox to read.
    ///   - lanes: The rows of its lanes.
    ///   - refused: The numbers of the lanes whose deletion after a denial is pending on disk. Their missing events are
    ///     already deleted from memory.
    /// - Throws: The storage error.
    package init(of outbox: any Outbox, lanes: [StoredLane], refused: Set<Int> = []) throws(OutboxError) {
        self.lanes = lanes
        for lane in lanes {
            try outbox.forEachSummary(lane: lane.number) { summary throws(OutboxError) in
                if let segment = try outbox.segment(at: summary.place) { add(segment, isHeld: false) }
                return true
            }
            for segment in try outbox.heldSegments(lane: lane.number) { add(segment, isHeld: true) }
            batches += try outbox.batches(lane: lane.number)
        }
        quarantined = try outbox.quarantined(lane: nil, limit: .max)
        countLosses(refused: refused)
    }

    /// Adds the valid records of a segment.
    ///
    /// If a record is damaged, the segment's batch is dissolved.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - isHeld: Whether the segment waits for consent.
    package mutating func add(_ segment: Segment, isHeld: Bool) {
        let records = segment.read()
        if records.count != segment.count { harmed.insert(segment.place) }
        guard !records.isEmpty else { return }
        let sound = records.count == segment.count ? segment : segment.replacing(records: records)
        if isHeld { held.append(sound) } else { segments.append(sound) }
    }

    /// The number of deliverable and held events.
    package var pendingEvents: Int { (segments + held).reduce(0) { $0 + $1.count } }

    /// The change that writes all contents into an empty outbox, with each segment at its place.
    package var change: OutboxChange {
        var change = OutboxChange()
        change.inserted = segments
        change.insertedHeld = held
        change.savedBatches = batches
        change.insertedQuarantined = quarantined
        change.lanes = lanes
        return change
    }

    /// Corrects each lane's ledger by the events that were found.
    ///
    /// Missing events are counted as damaged, and events that the ledger does not include as accepted. Batches that
    /// lack a segment are dissolved.
    ///
    /// - Parameter refused: The numbers of the lanes whose missing events are counted as denied instead.
    package mutating func countLosses(refused: Set<Int> = []) {
        let found = Dictionary((segments + held).map { ($0.place.lane, $0.count) }, uniquingKeysWith: +)
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
        let whole = Set(segments.map(\.place)).subtracting(harmed)
        batches.removeAll { batch in !batch.segments.allSatisfy(whole.contains) }
    }
}

extension OutboxError {
    /// The error for a missing directory.
    package static let missing = OutboxError.unavailable(code: ENOENT)

    /// The error for a failed sync.
    static let failedSync = OutboxError.failed(code: SQLITE_IOERR | (4 << 8))

    /// Whether a sync failed.
    ///
    /// The contents on disk are unknown then, and a second sync would not report the loss.
    package var isFailedSync: Bool {
        guard case .failed(let code) = self else { return false }
        return [SQLITE_IOERR | (4 << 8), SQLITE_IOERR | (5 << 8)].contains(code)
    }

    /// Returns the error for an `errno` value.
    static func system(_ code: Int32) -> OutboxError {
        code == ENOSPC || code == EDQUOT ? .full : .unavailable(code: code)
    }
}

extension Outbox {
    /// Deletes all stored events of lanes, including their bytes on disk.
    ///
    /// - Parameter lanes: The rows of the lanes after the deletion.
    /// - Throws: The storage error. Some bytes may then remain.
    package func purge(_ lanes: [StoredLane]) throws(OutboxError) {
        try erase(lanes, with: OutboxChange())
        try scrub()
    }
}
