import CoreTracker
import EventDelivery
import EventOutbox
import Foundation

/// Reads the queues of a directory, one after another.
struct QueueReader {
    let directory: QueueDirectory
    let output: Output

    /// Opens each queue in turn, until the body returns false; one that cannot be read is told of and passed over.
    func forEachQueue(_ body: (OpenQueue) throws(ToolError) -> Bool) throws(ToolError) {
        for file in directory.files {
            let queue = try OpenQueue(file, output: output)
            if let obstacle = queue.obstacle { output.note("\(file.name): \(obstacle.explanation)") }
            guard try body(queue) else { return }
        }
    }

    /// How each lane stands, over all queues, in the order of their names; and how the queues themselves do.
    func summary() throws(ToolError) -> DirectorySummary {
        var summary = DirectorySummary(directory: directory)
        try forEachQueue { queue throws(ToolError) in
            summary.add(queue)
            return true
        }
        return summary
    }

    /// Does something with the contents of a queue that may turn out to be damaged.
    func reading<Result>(_ queue: OpenQueue, _ body: () throws(OutboxError) -> Result) throws(ToolError) -> Result {
        do throws(OutboxError) {
            return try body()
        } catch {
            let hint = error == .corrupt ? "it is damaged; verify says how far" : "\(error)"
            throw ToolError("\(queue.file.name) cannot be read: \(hint)", .failed)
        }
    }

    /// The moment of now, on both clocks.
    static var now: StoredMoment {
        let clock = SystemClock()
        return StoredMoment(
            wall: clock.wallTime(),
            monotonic: clock.monotonicTime(),
            boot: StoredMoment.checksum(ofBoot: clock.bootID)
        )
    }
}

/// How the queues of a directory and their lanes stand.
struct DirectorySummary {
    /// A queue, as it was copied.
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

    /// The lanes in the order of their names.
    var lanes: [LaneSummary] { found.values.sorted { $0.id < $1.id } }

    /// One lane; throws where no queue has it.
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
        // What a salvage has saved says nothing about the disk.
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

    /// What the user has said about each purpose, by the file beside the queues.
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

/// How one lane stands, over all queues.
struct LaneSummary {
    /// What the queues say of the lane together; of what cannot be added, the queue's with most to send.
    private(set) var stored: StoredLane
    private(set) var usage: LaneUsage
    /// The batch that is sent next, with the number of its events; `nil` where none has been sent yet.
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
    /// Events of the queue that are not settled, including held ones.
    var pending: Int { ledger.pending }
    /// Pending events that wait for consent.
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

    /// The lane as the engine's statistics show it.
    ///
    /// The tool knows no destinations: a lane whose events were all refused for want of one has none, and one for which
    /// nobody has said anything is granted unless events wait for it.
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

    /// When the lane may send next, and why not before.
    func gate(at now: StoredMoment) -> LaneGate { LaneGate(stored.gate, at: now) }
}
