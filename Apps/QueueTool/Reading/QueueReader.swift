import CoreTracker
import EventDelivery
import EventOutbox
import Foundation

/// A reader for the queue of a directory.
struct QueueReader {
    let directory: QueueDirectory
    let output: Output

    /// Opens the queue, if the directory has one.
    ///
    /// If it cannot be read, a note is written.
    ///
    /// - Returns: The queue, or `nil` if there are only damaged files.
    /// - Throws: The error of the copy.
    func open() throws(ToolError) -> OpenQueue? {
        guard let file = directory.file else { return nil }
        let queue = try OpenQueue(file, output: output)
        if let obstacle = queue.obstacle { output.log("\(file.name): \(obstacle.explanation)") }
        return queue
    }

    /// Returns the state of the queue and of its lanes.
    func summary() throws(ToolError) -> DirectorySummary {
        DirectorySummary(directory: directory, queue: try open())
    }

    /// Reads a possibly damaged queue.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - body: Reads the queue.
    /// - Returns: The result of `body`.
    /// - Throws: The tool's error for a storage error of `body`.
    func reading<Result>(_ queue: OpenQueue, _ body: () throws(OutboxError) -> Result) throws(ToolError) -> Result {
        do throws(OutboxError) {
            return try body()
        } catch {
            let hint = error == .corrupt ? "it is damaged; use verify to see the damage" : "\(error)"
            throw ToolError("\(queue.file.name) cannot be read: \(hint)", .failed)
        }
    }

    /// The current time on both clocks.
    static var now: StoredMoment {
        let clock = SystemClock()
        return StoredMoment(
            wall: clock.wallTime(),
            monotonic: clock.monotonicTime(),
            boot: StoredMoment.checksum(ofBoot: clock.bootID)
        )
    }
}

/// The state of a directory's queue and its lanes.
struct DirectorySummary {
    /// The state of a queue file when it was copied.
    struct Queue {
        let file: QueueFile
        let bytes: Int
        let owner: Int32?
        let copied: (time: Timestamp, duration: Duration)
        let obstacle: OpenQueue.Obstacle?
        let lost: Int
    }

    let directory: QueueDirectory
    /// The queue file, or `nil` if there are only damaged files.
    let queue: Queue?
    /// The lanes, sorted by name.
    let lanes: [LaneSummary]

    fileprivate init(directory: QueueDirectory, queue: OpenQueue?) {
        self.directory = directory
        guard let queue else {
            (self.queue, lanes) = (nil, [])
            return
        }
        self.queue = Queue(
            file: queue.file,
            bytes: queue.file.bytes,
            owner: queue.owner,
            copied: queue.copied,
            obstacle: queue.obstacle,
            lost: queue.lost
        )
        // The contents recovered from a damaged file do not show whether the disk is full.
        let isFull = queue.obstacle == nil && queue.file.hasUsedItsReserve
        // A process that uses the queue has opened it before the file became foreign.
        let foreign = queue.owner == nil ? directory.foreignFile.map { OutboxError.foreign($0.trait) } : nil
        lanes = queue.lanes.map { lane in
            LaneSummary(
                lane,
                next: queue.nextBatch(of: lane),
                oldest: lane.oldest(in: queue),
                storageFailure: foreign ?? (isFull ? .full : nil),
                isInUse: queue.owner != nil
            )
        }
        .sorted { $0.id < $1.id }
    }

    /// Returns a lane.
    ///
    /// - Parameter id: The lane's id.
    /// - Throws: The error if the queue has no such lane.
    func lane(_ id: LaneID) throws(ToolError) -> LaneSummary {
        guard let lane = lanes.first(where: { $0.id == id }) else { throw directory.missing(id, of: lanes.map(\.id)) }
        return lane
    }
}

extension QueueDirectory {
    /// Returns the error for a lane that the queue does not have.
    ///
    /// - Parameters:
    ///   - id: The lane's id.
    ///   - lanes: The ids of the queue's lanes.
    func missing(_ id: LaneID, of lanes: [LaneID]) -> ToolError {
        let names = lanes.sorted().map(\.description).joined(separator: ", ")
        return ToolError(
            "\(name) has no lane \(id); \(names.isEmpty ? "it has no lanes" : "its lanes are \(names)")",
            .found
        )
    }
}

/// The state of a lane.
struct LaneSummary {
    /// The lane's row.
    let stored: StoredLane
    /// The next batch with the count of its events, or `nil` if no batch has been sent yet.
    let next: (batch: StoredBatch, events: Int)?
    /// The time at which the oldest event was stored, if any.
    let oldest: StoredMoment?
    private let consent: Consent
    private let storageFailure: OutboxError?
    private let isInUse: Bool

    fileprivate init(
        _ lane: OpenQueue.Lane,
        next: (batch: StoredBatch, events: Int)?,
        oldest: StoredMoment?,
        storageFailure: OutboxError?,
        isInUse: Bool
    ) {
        (stored, self.next, self.oldest, consent) = (lane.stored, next, oldest, lane.consent)
        (self.storageFailure, self.isInUse) = (storageFailure, isInUse)
    }

    var id: LaneID { stored.id }
    var ledger: LaneLedger { stored.ledger }
    /// The number of pending events, including those that await consent.
    var pending: Int { ledger.pending }
    /// The number of pending events that wait for consent.
    var awaitingConsent: Int { consent == .unknown ? pending : 0 }

    /// Returns the lane as in the engine's statistics.
    ///
    /// The tool knows no destinations. A lane counts as having none if all its events were dropped for that reason.
    func statistics(at now: StoredMoment) -> LaneStatistics {
        let retryState = retryState(at: now)
        var status = LaneStatus(
            hasDestination: !(stored.purpose.isEmpty && ledger.dropped[.noDestination, default: 0] > 0),
            consent: consent
        )
        status.pause = retryState.pause.map {
            LanePause(reason: $0, since: retryState.pausedSince, isOfEarlierRun: !isInUse)
        }
        status.isFailureOfEarlierRun = !isInUse
        status.eventsAwaitingConsent = consent == .unknown ? stored.counts.total : 0
        return LaneStatistics(
            id: id,
            ledger: ledger,
            oldestQueuedAge: consent == .unknown ? nil : oldest?.age(at: now),
            lastSuccess: stored.receiver.lastSuccess,
            purpose: stored.purpose,
            status: status,
            nextAttempt: retryState.reason.map { _ in max(.zero, now.monotonic.duration(to: retryState.notBefore)) },
            lastFailure: stored.receiver.lastFailure,
            storageFailure: storageFailure,
            now: now.wall,
            surroundings: LaneSurroundings(phase: isInUse ? .open : .closed)
        )
    }

    /// Returns the time at which the lane may send next, and the reason for the wait.
    func retryState(at now: StoredMoment) -> RetryState { RetryState(stored.retryState, at: now) }
}
