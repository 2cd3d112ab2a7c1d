import EventDelivery

/// A throttle that keeps the reader from running ahead of the disk and the receivers.
///
/// The engine drops events that its memory buffer cannot hold, so the reader waits for the disk while the buffer is half
/// full. If too many events are stored, it also waits for the receivers while they accept events.
@MainActor
struct Pacer {
    /// The number of rows between two looks at the buffer.
    ///
    /// With two events for each row they fill a quarter of the engine's buffer.
    private static let rows = 1_024
    /// The count of events in the buffer above which the reader waits for the disk.
    ///
    /// It is more than a full group. The writer stores a full group at once, so it never waits for the reader.
    private static let unstored = 4_096
    /// The number of milliseconds after which the disk counts as slow.
    private static let diskPatience = 500
    /// The counts of stored events at which the reader starts and stops waiting for the receivers.
    private static let backlog = (most: 20_000, least: 10_000)
    /// The number of flushes without a delivery after which the receivers count as down.
    private static let patience = 20

    private let tracking: DemoWiring
    private let waitsForReceivers: Bool
    private var unpaced = 0
    /// The number of delivered events when the receivers were found to be down.
    private var stalledAt: Int?

    /// Creates a throttle.
    ///
    /// Without `waitsForReceivers` it waits only for the disk.
    init(_ tracking: DemoWiring, waitsForReceivers: Bool) {
        self.tracking = tracking
        self.waitsForReceivers = waitsForReceivers
    }

    /// Waits if necessary.
    ///
    /// Call this after each row. Returns whether it has checked the disk.
    mutating func pause(unless interruption: Interruption) async -> Bool {
        unpaced += 1
        guard unpaced >= Pacer.rows else { return false }
        await wait(unless: interruption)
        return true
    }

    /// Waits for the disk, and for the receivers if too many events are stored.
    ///
    /// Stored events survive the end of the process. The writer makes a barrier against power loss every second, because
    /// a barrier for each wait would stop deliveries as well.
    mutating func wait(unless interruption: Interruption) async {
        unpaced = 0
        await waitForDisk(unless: interruption)
        guard waitsForReceivers else { return }
        let statistics = await tracking.engine.statistics()
        let delivered = statistics.reduce(0) { $0 + $1.ledger.delivered }
        guard stalledAt != delivered, statistics.reduce(0, { $0 + $1.ledger.pending }) > Pacer.backlog.most else {
            return
        }
        stalledAt = nil
        await waitForReceivers(unless: interruption)
    }

    private func waitForDisk(unless interruption: Interruption) async {
        for _ in 0..<Pacer.diskPatience {
            guard tracking.engine.unstoredCount > Pacer.unstored, !interruption.isRaised else { return }
            try? await Task.sleep(for: .milliseconds(1))
        }
        await tracking.engine.storeBuffered()
    }

    private mutating func waitForReceivers(unless interruption: Interruption) async {
        var idle = 0
        while !interruption.isRaised {
            let report = await tracking.engine.flush(timeout: .milliseconds(250))
            // Do not wait for a lane if it is paused or backs off. Its events stay on disk.
            let moving = report.lanes.filter { $0.outcome == .timedOut }
            if moving.reduce(0, { $0 + $1.pending }) <= Pacer.backlog.least { break }
            idle = report.lanes.allSatisfy { $0.delivered == 0 } ? idle + 1 : 0
            if idle >= Pacer.patience { break }
        }
        let statistics = await tracking.engine.statistics()
        if statistics.reduce(0, { $0 + $1.ledger.pending }) > Pacer.backlog.most {
            stalledAt = statistics.reduce(0) { $0 + $1.ledger.delivered }
        }
    }
}

/// The start time of each session read so far.
///
/// It keeps the last 10,000 to 20,000 sessions, so memory does not grow with the file. If an older session appears
/// again, it counts as a new one.
struct SessionStarts {
    private let capacity: Int
    private var current: [String: Timestamp] = [:]
    private var previous: [String: Timestamp] = [:]

    /// Creates an empty collection of at most twice `capacity` sessions.
    init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// Returns the time of a session's first event, which is `time` for a new session.
    mutating func start(of session: String, at time: Timestamp) -> Timestamp {
        if let start = current[session] { return start }
        if current.count >= capacity {
            previous = current
            current = [:]
        }
        let start = previous[session] ?? time
        current[session] = start
        return start
    }
}
