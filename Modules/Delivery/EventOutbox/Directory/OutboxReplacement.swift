import CLibrary
package import CoreTracker
package import EventTracking

/// A new queue file that will replace a damaged one, or one whose last changes may be missing on disk.
///
/// It is complete and synced under another name before the old files move. If the process is killed in between, the
/// next start completes the replacement. The segments are copied one by one, so it needs little memory.
package struct OutboxReplacement {
    /// The suffixes of its name: while it is written, and when it is complete and synced.
    enum Suffix {
        static let unfinished = ".new"
        static let complete = ".next"
    }

    /// The maximum size of one transaction in bytes.
    private static let stepBytes = 1_000_000

    private let directory: OutboxDirectory
    private let target: SQLiteOutbox
    private var rows: OutboxRows
    private var step = OutboxChange()
    private var stepBytes = 0
    private var counts: [Int: LaneCounts] = [:]
    /// The places of the segments in batches, and of the sound segments among them.
    private let batched: Set<SegmentPlace>
    private var sound: Set<SegmentPlace> = []

    private init(in directory: OutboxDirectory, rows: OutboxRows) throws(OutboxError) {
        self.directory = directory
        self.rows = rows
        batched = Set(rows.lanes.lazy.flatMap(\.batches).flatMap(\.segments))
        let path = directory.queue + Suffix.unfinished
        OwnFile.remove(queue: path)
        // An unused replacement is older than this one.
        unlink(directory.queue + Suffix.complete)
        target = try directory.makeOutbox(at: path)
    }

    /// Writes a replacement for the queue file of a directory.
    ///
    /// Leaves out segments below the start of their lane. Also leaves out segments from before a denial, because the
    /// row of their lane may be older than the denial.
    ///
    /// - Parameters:
    ///   - directory: The locked directory.
    ///   - rows: All rows except the segments.
    ///   - segments: Passes each segment to a closure.
    /// - Returns: The rows of the new file, and the number of missing events of each lane.
    /// - Throws: The storage error, or the error of `segments`. The queue file is unchanged then.
    package static func write(
        in directory: OutboxDirectory,
        rows: OutboxRows,
        segments: (_ add: (Segment) throws(OutboxError) -> Void) throws(OutboxError) -> Void
    ) throws(OutboxError) -> (rows: OutboxRows, losses: [LaneID: Int]) {
        do throws(OutboxError) {
            return try writeOnce(in: directory, rows, segments)
        } catch .full {
            guard directory.reserve.release() else { throw .full }
            return try writeOnce(in: directory, rows, segments)
        }
    }

    private static func writeOnce(
        in directory: OutboxDirectory,
        _ rows: OutboxRows,
        _ segments: (_ add: (Segment) throws(OutboxError) -> Void) throws(OutboxError) -> Void
    ) throws(OutboxError) -> (rows: OutboxRows, losses: [LaneID: Int]) {
        var replacement = try OutboxReplacement(in: directory, rows: rows)
        do throws(OutboxError) {
            try segments { segment throws(OutboxError) in try replacement.add(segment) }
            return try replacement.finish()
        } catch {
            replacement.target.discard()
            throw error
        }
    }

    /// Adds the valid records of a segment.
    private mutating func add(_ segment: Segment) throws(OutboxError) {
        guard let lane = rows.lanes.first(where: { $0.number == segment.place.lane }),
            segment.place.number >= lane.start,
            segment.decision >= rows.state?.decisions[lane.purpose]?.denial ?? 0
        else { return }
        let records = segment.read()
        guard !records.isEmpty else { return }
        let isSound = records.count == segment.count
        if isSound, batched.contains(segment.place) { sound.insert(segment.place) }
        let copy = isSound ? segment : segment.replacing(records: records)
        counts[lane.number, default: LaneCounts()].count(copy.summary, sign: 1)
        step.save(copy)
        stepBytes += copy.records.count
        if stepBytes >= OutboxReplacement.stepBytes {
            try target.commit(step, barrier: false)
            (step, stepBytes) = (OutboxChange(), 0)
        }
    }

    /// Corrects each lane's ledger to match the events found, and syncs the file.
    ///
    /// Missing events are counted as damaged, and additional events as accepted. Batches with a missing segment are
    /// dissolved.
    private mutating func finish() throws(OutboxError) -> (rows: OutboxRows, losses: [LaneID: Int]) {
        var losses: [LaneID: Int] = [:]
        let quarantined = rows.quarantined.counts(by: \.lane)
        for index in rows.lanes.indices {
            let id = rows.lanes[index].id
            let found = counts[rows.lanes[index].number] ?? LaneCounts()
            let lost = rows.lanes[index].ledger.agree(
                pending: found.total,
                quarantined: quarantined[id] ?? 0
            )
            (rows.lanes[index].counts, rows.lanes[index].isDamaged) = (found, false)
            rows.lanes[index].batches.removeAll { batch in !batch.segments.allSatisfy(sound.contains) }
            if lost > 0 { losses[id] = lost }
        }
        try target.commit(step, barrier: false)
        try target.commit(rows.change, barrier: true)
        try target.emptyLog()
        target.close()
        guard rename(directory.queue + Suffix.unfinished, directory.queue + Suffix.complete) == 0 else {
            throw .system(errno)
        }
        do throws(OutboxError) {
            try OwnDirectory(directory.path).sync()
        } catch {
            // The next start must not use the replacement, because the queue file remains in use.
            unlink(directory.queue + Suffix.complete)
            throw error
        }
        return (rows, losses)
    }

    /// Moves the queue file aside and a complete replacement into its place, if there is one.
    ///
    /// An unfinished replacement is deleted.
    ///
    /// - Parameter directory: The locked directory.
    /// - Throws: The error of the file system.
    package static func complete(in directory: OutboxDirectory) throws(OutboxError) {
        OwnFile.remove(queue: directory.queue + Suffix.unfinished)
        let complete = directory.queue + Suffix.complete
        guard FileStatus(at: complete) != nil else { return }
        // SQLite would apply the old file's log to the new file.
        let old = [""] + OwnFile.companions
        if old.contains(where: { FileStatus(at: directory.queue + $0) != nil }) { try directory.moveAside() }
        guard rename(complete, directory.queue) == 0 else { throw .system(errno) }
        try OwnDirectory(directory.path).sync()
    }
}
