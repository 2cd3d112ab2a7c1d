import CoreTracker
import EventDelivery
import EventOutbox
import Foundation

/// A queue that is read by the engine's own code, from a copy.
final class OpenQueue {
    /// Why a queue was not opened.
    enum Obstacle: Equatable {
        /// A newer version of the library has written it.
        case newerVersion(Int)
        /// It is damaged; what could be saved of it is read in its place.
        case damaged
        case failed(String)
    }

    /// A lane of the queue.
    struct Lane {
        var stored: StoredLane
        var usage: LaneUsage
        var batches: [StoredBatch]
    }

    /// The queue that was copied.
    let file: QueueFile
    /// The process that uses it; `nil` when none does.
    let owner: Int32?
    /// When the copy was made, and how long that took.
    let copied: (time: Timestamp, duration: Duration)
    /// What keeps the queue from being read as it is.
    let obstacle: Obstacle?
    let lanes: [Lane]
    let outbox: any Outbox
    /// How many events were lost to damage.
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
            // What its owner is about to make is not damaged.
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
        // Unlike closing, this does not work off the log first.
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
        try? SQLiteSalvage.read(path: path, mark: HighWaterMark(queue: path))
    }
}

extension OpenQueue.Obstacle {
    fileprivate init(_ error: OutboxError) {
        self = if case .newerVersion(let version) = error { .newerVersion(version) } else { .failed("\(error)") }
    }

    /// What it means for the reader, in one sentence.
    var explanation: String {
        switch self {
        case .newerVersion(let version): "a newer version of the library has written it (layout \(version))"
        case .damaged: "damaged: what can be saved of it is shown"
        case .failed(let cause): "cannot be read: \(cause)"
        }
    }
}

extension OutboxContents {
    /// How many events are missing, of all lanes.
    fileprivate var lost: Int { losses.values.reduce(0, +) }
}

extension OpenQueue {
    /// Goes through the stored events of a lane in their order, in constant memory, until the body returns false:
    /// first those that may be sent, then those that wait for consent, then those in quarantine.
    ///
    /// Returns whether the body ended it.
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
                guard let pack = try outbox.pack(at: summary.place) else { return true }
                for event in events(of: pack, lane, .queued(batches[pack.place])) where goesOn { goesOn = body(event) }
                return goesOn
            }
        }
        if goesOn, state == nil || state == .held, lane.usage.heldEvents > 0 {
            for pack in try outbox.heldPacks(lane: lane.stored.number) where goesOn {
                for event in events(of: pack, lane, .held) where goesOn { goesOn = body(event) }
            }
        }
        if goesOn, state == nil || state == .quarantined, lane.stored.ledger.quarantined > 0 {
            for event in try outbox.quarantined(lane: lane.stored.id, limit: .max) where goesOn {
                goesOn = body(StoredEvent(event))
            }
        }
        return !goesOn
    }

    /// The batch of a lane that is sent next, with the number of its events.
    func nextBatch(of lane: Lane) -> (batch: StoredBatch, events: Int)? {
        lane.batches.first.map { batch in
            (batch, batch.packs.reduce(0) { $0 + ((try? outbox.pack(at: $1))?.count ?? 0) })
        }
    }

    /// The last events of a lane that are stored, by the order in which they were tracked; at most so many.
    func lastEvents(of lane: Lane, limit: Int) throws(OutboxError) -> [StoredEvent] {
        // Packs are looked at from the first on; of those that hold the last events the records are read.
        var (last, count) = (ArraySlice<PackSummary>(), 0)
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
            guard let pack = try outbox.pack(at: summary.place) else { continue }
            events += self.events(of: pack, lane, .queued(batches[pack.place]))
        }
        for state in [StoredEvent.State.Name.held, .quarantined] {
            try forEachEvent(of: lane, state: state) { event in
                events.append(event)
                return true
            }
        }
        return events.sorted { $0.id < $1.id }.suffix(limit)
    }

    private func events(of pack: Pack, _ lane: Lane, _ state: StoredEvent.State) -> [StoredEvent] {
        let records = pack.read()
        // Where records are damaged, nobody knows which of the numbers are theirs.
        let isWhole = records.count == pack.count
        return records.enumerated().map { index, record in
            StoredEvent(
                id: record.id,
                lane: lane.stored.id,
                number: isWhole ? pack.place.number + Int64(index) : nil,
                stored: pack.stored.wall,
                state: state,
                fragment: record.fragment
            )
        }
    }
}

extension OpenQueue.Lane {
    /// The batch that each pack belongs to.
    fileprivate var batchesByPlace: [PackPlace: StoredBatch] {
        batches.reduce(into: [:]) { result, batch in for place in batch.packs { result[place] = batch } }
    }
}
