import CoreTracker
import EventDelivery
import EventOutbox
import Foundation

/// A copied queue, which is read by the engine's code.
final class OpenQueue {
    /// The reason why a queue was not opened as it is.
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
        var usage: LaneUsage
        var batches: [StoredBatch]
    }

    /// The original queue file.
    let file: QueueFile
    /// The process that uses the queue, or `nil`.
    let owner: Int32?
    /// The time of the copy and its duration.
    let copied: (time: Timestamp, duration: Duration)
    /// The reason why the queue cannot be read as it is, or `nil`.
    let obstacle: Obstacle?
    let lanes: [Lane]
    let outbox: any Outbox
    /// The number of events that were lost to damage.
    let lost: Int
    private let folder: URL
    private let queue: StoredQueue?

    /// Copies a queue and opens the copy.
    init(_ file: QueueFile, output: Output) throws(ToolError) {
        self.file = file
        owner = file.owner
        folder = try Cleaner.shared.makeFolder()
        var (copy, found): (QueueCopy, Result<StoredQueue, OutboxError>)
        do throws(ToolError) {
            (copy, found) = try OpenQueue.copy(file, into: folder, output: output)
            // A queue that its owner is still creating is not damaged.
            for _ in 1...3 where file.owner != nil {
                guard case .failure = found else { break }
                (copy, found) = try OpenQueue.copy(file, into: folder, output: output)
            }
        } catch {
            Cleaner.shared.remove(folder)
            throw error
        }
        copied = (copy.time, copy.duration)
        switch found {
        case .success(let queue):
            self.queue = queue
            (outbox, obstacle, lost) = (queue.outbox, nil, 0)
            lanes = queue.lanes.map { Lane(stored: $0.stored, usage: $0.usage, batches: $0.batches) }
        case .failure(let error):
            queue = nil
            let saved = error == .corrupt ? OpenQueue.salvage(copy.path) : nil
            let memory = InMemoryOutbox()
            if let saved { memory.commit(saved.change, barrier: false) }
            (outbox, obstacle, lost) = (memory, saved == nil ? Obstacle(error) : .damaged, saved?.lost ?? 0)
            lanes = (saved?.lanes ?? []).map { stored in
                Lane(
                    stored: stored,
                    usage: memory.usage(lane: stored.number),
                    batches: memory.batches(lane: stored.number)
                )
            }
        }
    }

    deinit {
        // Unlike closing, this does not checkpoint the log first.
        queue?.outbox.discard()
        Cleaner.shared.remove(folder)
    }

    private static func copy(
        _ file: QueueFile,
        into folder: URL,
        output: Output
    ) throws(ToolError) -> (QueueCopy, Result<StoredQueue, OutboxError>) {
        let copy = try QueueCopy(of: file, into: folder, output: output)
        return (
            copy,
            Result { () throws(OutboxError) in try StoredQueue(in: OutboxDirectory(folder)) }
        )
    }

    private static func salvage(_ path: String) -> OutboxContents? {
        try? SQLiteSalvage.read(path: path, mark: DurabilityCheckpoint(queue: path))
    }
}

extension OpenQueue.Obstacle {
    fileprivate init(_ error: OutboxError) {
        self = if case .newerVersion(let version) = error { .newerVersion(version) } else { .failed("\(error)") }
    }

    /// The meaning for the user, in one sentence.
    var explanation: String {
        switch self {
        case .newerVersion(let version): "a newer version of the library has written it (layout \(version))"
        case .damaged: "damaged: what can be saved of it is shown"
        case .failed(let cause): "cannot be read: \(cause)"
        }
    }
}

extension OutboxContents {
    /// The number of missing events of all lanes.
    fileprivate var lost: Int { losses.values.reduce(0, +) }
}

extension OpenQueue {
    /// Visits the stored events of a lane in order, in constant memory: first deliverable events, then held ones, then
    /// quarantined ones.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - body: Receives each event. It returns whether to continue.
    /// - Returns: Whether `body` ended the visit.
    /// - Throws: The storage error.
    @discardableResult
    func forEachEvent(
        of lane: Lane,
        state: StoredEvent.State.Name? = nil,
        _ body: (StoredEvent) -> Bool
    ) throws(OutboxError) -> Bool {
        var goesOn = true
        if state == nil || state == .queued {
            let batches = lane.batchesByPlace
            try outbox.forEachSummary(lane: lane.stored.number) { summary throws(OutboxError) in
                guard let segment = try outbox.segment(at: summary.place) else { return true }
                for event in events(of: segment, lane, .queued(batches[segment.place])) where goesOn {
                    goesOn = body(event)
                }
                return goesOn
            }
        }
        if goesOn, state == nil || state == .held, lane.usage.heldEvents > 0 {
            for segment in try outbox.heldSegments(lane: lane.stored.number) where goesOn {
                for event in events(of: segment, lane, .held) where goesOn { goesOn = body(event) }
            }
        }
        if goesOn, state == nil || state == .quarantined, lane.stored.ledger.quarantined > 0 {
            for event in try outbox.quarantined(lane: lane.stored.id, limit: .max) where goesOn {
                goesOn = body(StoredEvent(event))
            }
        }
        return !goesOn
    }

    /// Returns the lane's next batch, with the number of its events.
    func nextBatch(of lane: Lane) -> (batch: StoredBatch, events: Int)? {
        lane.batches.first.map { batch in
            (batch, batch.segments.reduce(0) { $0 + ((try? outbox.segment(at: $1))?.count ?? 0) })
        }
    }

    /// Returns the last stored events of a lane, in the order in which they were tracked.
    func lastEvents(of lane: Lane, limit: Int) throws(OutboxError) -> [StoredEvent] {
        // The summaries of all segments are read, but only the records of the segments that contain the last events.
        var (last, count) = (ArraySlice<SegmentSummary>(), 0)
        try outbox.forEachSummary(lane: lane.stored.number) { summary in
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
            events += self.events(of: segment, lane, .queued(batches[segment.place]))
        }
        for state in [StoredEvent.State.Name.held, .quarantined] {
            try forEachEvent(of: lane, state: state) { event in
                events.append(event)
                return true
            }
        }
        return events.sorted { $0.id < $1.id }.suffix(limit)
    }

    private func events(of segment: Segment, _ lane: Lane, _ state: StoredEvent.State) -> [StoredEvent] {
        let records = segment.read()
        // If records are damaged, the numbers of the other records are unknown.
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
    /// The batch of each segment.
    fileprivate var batchesByPlace: [SegmentPlace: StoredBatch] {
        batches.reduce(into: [:]) { result, batch in for place in batch.segments { result[place] = batch } }
    }
}
