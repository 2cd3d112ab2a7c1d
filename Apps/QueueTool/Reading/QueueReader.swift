import CoreTracker
import EventDelivery
import EventOutbox
import Foundation

/// A reader for the queue of a directory.
struct QueueReader {
    let directory: QueueDirectory
    let output: Output

    /// Opens the queue.
    ///
    /// If it cannot be read, a note is written.
    ///
    /// - Parameter body: Receives the queue. It returns whether to continue.
    /// - Throws: The error of the copy, or the error that `body` throws.
    func forEachQueue(_ body: (OpenQueue) throws(ToolError) -> Bool) throws(ToolError) {
        for file in directory.files {
            let queue = try OpenQueue(file, output: output)
            if let obstacle = queue.obstacle { output.note("\(file.name): \(obstacle.explanation)") }
            guard try body(queue) else { return }
        }
    }

    /// Returns the state of the queue and of its lanes.
    func summary() throws(ToolError) -> DirectorySummary {
        var summary = DirectorySummary(directory: directory)
        try forEachQueue { queue throws(ToolError) in
            summary.add(queue)
            return true
        }
        return summary
    }

    /// Reads a queue that may be damaged.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - body: Reads the queue.
    /// - Returns: The result of `body`.
    /// - Throws: The tool's error for the storage error that `body` throws.
    func reading<Result>(_ queue: OpenQueue, _ body: () throws(OutboxError) -> Result) throws(ToolError) -> Result {
        do throws(OutboxError) {
            return try body()
        } catch {
            let hint = error == .corrupt ? "it is damaged; verify says how far" : "\(error)"
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
    private(set) var queues: [Queue] = []
    private var found: [LaneID: LaneSummary] = [:]
    private let consents: [String: Consent]

    fileprivate init(directory: QueueDirectory) {
        self.directory = directory
        consents = DirectorySummary.consents(in: directory)
    }

    /// The lanes, sorted by name.
    var lanes: [LaneSummary] { found.values.sorted { $0.id < $1.id } }

    /// Returns a lane.
    ///
    /// - Parameter id: The lane's ID.
    /// - Throws: The error if the queue has no such lane.
    func lane(_ id: LaneID) throws(ToolError) -> LaneSummary {
        guard let lane = found[id] else {
            let names = lanes.map(\.id.description).joined(separator: ", ")
            throw ToolError("\(directory.name) has no lane \(id); it has \(names.isEmpty ? "none" : names)", .found)
        }
        return lane
    }

    fileprivate mutating func add(_ queue: OpenQueue) {
        queues.append(
            Queue(
                file: queue.file,
                bytes: queue.file.bytes,
                owner: queue.owner,
                copied: queue.copied,
                obstacle: queue.obstacle,
                lost: queue.lost
            )
        )
        // The contents recovered from a damaged file do not show whether the disk is full.
        let isFull = queue.obstacle == nil && queue.file.hasUsedItsReserve
        for lane in queue.lanes {
            let part = LaneSummary(
                lane,
                next: queue.nextBatch(of: lane),
                consent: consents[lane.stored.purpose],
                isFull: isFull,
                isInUse: queue.owner != nil
            )
            if found[part.id]?.add(part) == nil { found[part.id] = part }
        }
    }

    /// Returns the consent decision for each purpose from the consent file.
    private static func consents(in directory: QueueDirectory) -> [String: Consent] {
        guard let folder = try? Cleaner.shared.makeFolder() else { return [:] }
        defer { Cleaner.shared.remove(folder) }
        let source = directory.url.appendingPathComponent("consent").path
        guard OutboxDirectory.isRegularFile(source), OutboxDirectory.size(source) <= 1_000_000,
            let bytes = FileManager.default.contents(atPath: source),
            FileManager.default.createFile(
                atPath: folder.appendingPathComponent("consent").path,
                contents: bytes,
                attributes: [.posixPermissions: 0o600]
            ),
            let copy = try? OutboxDirectory(folder), let words = try? ConsentFile.read(in: copy)
        else { return [:] }
        return Dictionary(words.map { ($0.purpose, Consent(rawValue: $0.consent) ?? .unknown) }) { first, _ in first }
    }
}

/// The state of a lane.
struct LaneSummary {
    /// The lane's row.
    ///
    /// If several queues are combined, values that cannot be added come from the one with the most events.
    private(set) var stored: StoredLane
    private(set) var usage: LaneUsage
    /// The next batch with the number of its events, or `nil` if no batch has been sent yet.
    private(set) var next: (batch: StoredBatch, events: Int)?
    private var consent: Consent?
    private var isFull: Bool
    private var isInUse: Bool

    fileprivate init(
        _ lane: OpenQueue.Lane,
        next: (batch: StoredBatch, events: Int)?,
        consent: Consent?,
        isFull: Bool,
        isInUse: Bool
    ) {
        (stored, usage, self.next) = (lane.stored, lane.usage, next)
        (self.consent, self.isFull, self.isInUse) = (consent, isFull, isInUse)
    }

    var id: LaneID { stored.id }
    var ledger: LaneLedger { stored.ledger }
    /// The number of pending events, including held ones.
    var pending: Int { ledger.pending }
    /// The number of pending events that wait for consent.
    var held: Int { usage.heldEvents }

    fileprivate mutating func add(_ other: LaneSummary) {
        let (more, less) = other.usage.totalEvents > usage.totalEvents ? (other, self) : (self, other)
        self = more
        stored.ledger.add(less.stored.ledger)
        for priority in usage.events.indices { usage.events[priority] += less.usage.events[priority] }
        usage.bytes += less.usage.bytes
        usage.heldEvents += less.usage.heldEvents
        usage.heldBytes += less.usage.heldBytes
        usage.oldest = [usage.oldest, less.usage.oldest].compactMap { $0 }.min { $0.wall < $1.wall }
        isFull = isFull || less.isFull
        isInUse = isInUse || less.isInUse
    }

    /// Returns the lane as in the engine's statistics.
    ///
    /// The tool knows no destinations. A lane counts as having none if all its events were dropped for that reason. A
    /// purpose without a decision counts as granted unless events wait for consent.
    func statistics(at now: StoredMoment) -> LaneStatistics {
        LaneStatistics(
            stored,
            usage: usage,
            consent: consent == .denied ? .denied : held > 0 ? .unknown : .granted,
            isServed: !(stored.purpose.isEmpty && ledger.dropped[.noDestination, default: 0] > 0),
            storageFailure: isFull ? .full : nil,
            isInUse: isInUse,
            now: now
        )
    }

    /// Returns the time at which the lane may send next, and the reason for the wait.
    func gate(at now: StoredMoment) -> LaneGate { LaneGate(stored.gate, at: now) }
}
