import CoreTracker
import EventDelivery
import EventOutbox
import Foundation

/// A copied queue, which is read by the engine's code.
final class OpenQueue {
    /// The reason a queue was not opened unchanged.
    enum Obstacle: Equatable {
        /// A newer version of the library wrote the queue.
        case newerVersion(Int)
        /// The queue is damaged.
        ///
        /// Its valid contents are shown instead.
        case damaged
        case failed(String)
    }

    /// A lane of the queue.
    struct Lane {
        var stored: StoredLane
        /// The user's decision about the lane's purpose, or the app's default.
        var consent: Consent
    }

    /// The original queue file.
    let file: QueueFile
    /// The process that uses the queue, or `nil`.
    let owner: Int32?
    /// The time of the copy and its duration.
    let copied: (time: Timestamp, duration: Duration)
    /// The reason the queue cannot be read unchanged, or `nil`.
    let obstacle: Obstacle?
    let lanes: [Lane]
    let quarantined: [QuarantinedEvent]
    let outbox: Outbox
    /// The decisions and the pending erasures.
    let state: StateRow
    /// The number of events lost to damage.
    let lost: Int
    private let folder: URL

    /// Copies a queue and opens the copy.
    init(_ file: QueueFile, output: Output) throws(ToolError) {
        self.file = file
        owner = file.owner
        folder = try Cleaner.shared.makeFolder()
        var (copy, found): (QueueCopy, Result<CopiedQueue, OutboxError>)
        do throws(ToolError) {
            (copy, found) = try OpenQueue.copy(file, into: folder, output: output)
            // A queue is not damaged while its owner is still creating it.
            for _ in 1...3 where file.owner != nil {
                guard case .failure = found else { break }
                (copy, found) = try OpenQueue.copy(file, into: folder, output: output)
            }
        } catch {
            Cleaner.shared.remove(folder)
            throw error
        }
        copied = (copy.time, copy.duration)
        let queue: CopiedQueue?
        switch found {
        case .success(let sound): (queue, obstacle, lost) = (sound, nil, 0)
        case .failure(let error):
            let saved = error == .corrupt ? try? CopiedQueue.salvage(copy.path, in: folder) : nil
            (queue, lost) = (saved?.queue, saved?.lost ?? 0)
            obstacle = saved == nil ? Obstacle(error) : .damaged
        }
        outbox = queue.map { Outbox($0.file) } ?? Outbox(unreadable: .corrupt)
        let rows = queue?.rows ?? OutboxRows()
        state = rows.state ?? StateRow()
        let state = state
        quarantined = rows.quarantined.filter { !state.isErased($0.user, $0.decision) }
        lanes = rows.lanes.map { stored in
            Lane(
                stored: stored,
                consent: state.decisions[stored.purpose]?.consent ?? .granted
            )
        }
    }

    deinit {
        // Unlike closing, this does not checkpoint the log first.
        outbox.discard()
        Cleaner.shared.remove(folder)
    }

    private static func copy(
        _ file: QueueFile,
        into folder: URL,
        output: Output
    ) throws(ToolError) -> (QueueCopy, Result<CopiedQueue, OutboxError>) {
        let copy = try QueueCopy(of: file, into: folder, output: output)
        return (copy, Result { () throws(OutboxError) in try CopiedQueue(copy.path) })
    }
}

/// A copied queue file with its rows.
private struct CopiedQueue {
    let file: SQLiteOutbox
    let rows: OutboxRows

    init(_ path: String) throws(OutboxError) {
        file = try SQLiteOutbox(path: path)
        do throws(OutboxError) {
            rows = try OutboxRows(of: file, completedBy: DurabilityCheckpoint(queue: path))
        } catch {
            file.discard()
            throw error
        }
    }

    /// Replaces a damaged copy by a file with its valid contents.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - folder: The folder of the copy.
    /// - Returns: The new file, and the number of lost events.
    static func salvage(_ path: String, in folder: URL) throws(OutboxError) -> (queue: CopiedQueue, lost: Int) {
        let directory = try OutboxDirectory(folder)
        let checkpoint = DurabilityCheckpoint(queue: path)
        let salvage = try SQLiteSalvage(path: path)
        let (_, losses) = try OutboxReplacement.write(
            in: directory,
            rows: try salvage.rows(completedBy: checkpoint)
        ) { add throws(OutboxError) in try salvage.forEachSegment(add) }
        try OutboxReplacement.complete(in: directory)
        return (try CopiedQueue(path), losses.values.reduce(0, +))
    }
}

extension OpenQueue.Obstacle {
    fileprivate init(_ error: OutboxError) {
        self = if case .newerVersion(let version) = error { .newerVersion(version) } else { .failed("\(error)") }
    }

    /// The meaning for the user, in one sentence.
    var explanation: String {
        switch self {
        case .newerVersion(let version): "a newer version of the library wrote it (layout \(version))"
        case .damaged: "damaged: only its valid contents are shown"
        case .failed(let cause): "cannot be read: \(cause)"
        }
    }
}

extension OpenQueue {
    /// Visits the stored events of a lane in order, in constant memory: first pending events, then quarantined ones.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - state: The state of the events, or `nil` for all.
    ///   - body: Receives each event. It returns whether to continue.
    /// - Returns: The number of damaged events among the visited ones.
    /// - Throws: The storage error.
    @discardableResult
    func forEachEvent(
        of lane: Lane,
        state: StoredEvent.State.Name? = nil,
        _ body: (StoredEvent) -> Bool
    ) throws(OutboxError) -> Int {
        var (goesOn, damaged) = (true, 0)
        if state == nil || state == (lane.awaitsConsent ? .awaitingConsent : .queued) {
            let batches = lane.batchesByPlace
            try forEachSummary(of: lane) { summary throws(OutboxError) in
                guard let segment = try outbox.segment(at: summary.place) else { return true }
                let state = lane.state(in: batches[segment.place])
                let events = events(of: segment, lane, state)
                damaged += segment.count - events.count
                for event in events where goesOn { goesOn = body(event) }
                return goesOn
            }
        }
        if goesOn, state == nil || state == .quarantined {
            for event in quarantined where goesOn && event.lane == lane.stored.id {
                goesOn = body(StoredEvent(event))
            }
        }
        return damaged
    }

    /// Visits the segments of a lane that exist, without their records.
    func forEachSummary(
        of lane: Lane,
        _ body: (SegmentSummary) throws(OutboxError) -> Bool
    ) throws(OutboxError) {
        try outbox.forEachSummary(of: lane.stored) { summary throws(OutboxError) in
            state.isErased(summary.user, summary.decision) ? true : try body(summary)
        }
    }

    /// Returns the lane's next batch, with the number of its events.
    func nextBatch(of lane: Lane) -> (batch: StoredBatch, events: Int)? {
        lane.stored.batches.first.map { batch in
            (batch, batch.segments.reduce(0) { $0 + ((try? outbox.segment(at: $1))?.count ?? 0) })
        }
    }

    /// Returns the last stored events of a lane, in the order in which they were tracked.
    func lastEvents(of lane: Lane, limit: Int) throws(OutboxError) -> [StoredEvent] {
        // The summaries of all segments are read, but only the records of the segments that contain the last events.
        var (last, count) = (ArraySlice<SegmentSummary>(), 0)
        try forEachSummary(of: lane) { summary in
            last.append(summary)
            count += max(1, summary.count)
            while let first = last.first, count - max(1, first.count) >= limit {
                count -= max(1, first.count)
                last.removeFirst()
            }
            return true
        }
        var events: [StoredEvent] = []
        let batches = lane.batchesByPlace
        for summary in last {
            guard let segment = try outbox.segment(at: summary.place) else { continue }
            events += self.events(of: segment, lane, lane.state(in: batches[segment.place]))
        }
        try forEachEvent(of: lane, state: .quarantined) { event in
            events.append(event)
            return true
        }
        return events.sorted { $0.id < $1.id }.suffix(limit)
    }

    private func events(of segment: Segment, _ lane: Lane, _ state: StoredEvent.State) -> [StoredEvent] {
        let records = segment.read()
        // If records are damaged, the sequence numbers of the other records are unknown.
        let isWhole = records.count == segment.count
        return records.enumerated().map { index, record in
            StoredEvent(
                id: record.id,
                lane: lane.stored.id,
                number: isWhole ? segment.place.number + Int64(index) : nil,
                stored: segment.stored.wall,
                state: state,
                fragment: record.fragment
            )
        }
    }
}

extension OpenQueue.Lane {
    /// Whether the lane's events wait for the user's consent.
    var awaitsConsent: Bool { consent == .unknown }

    /// Returns the state of the lane's events in a batch, or in none.
    func state(in batch: StoredBatch?) -> StoredEvent.State { awaitsConsent ? .awaitingConsent : .queued(batch) }

    /// The time at which the lane's oldest event was stored, if any.
    func oldest(in queue: OpenQueue) -> StoredMoment? {
        var oldest: StoredMoment?
        try? queue.forEachSummary(of: self) { summary in
            oldest = summary.stored
            return false
        }
        return oldest
    }

    /// The batch of each segment.
    fileprivate var batchesByPlace: [SegmentPlace: StoredBatch] {
        stored.batches.reduce(into: [:]) { result, batch in for place in batch.segments { result[place] = batch } }
    }
}
