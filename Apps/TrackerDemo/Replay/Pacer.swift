import EventDelivery

/// Keeps the reader from running ahead of the disk and of the receivers.
///
/// The engine's buffer in memory drops what it has no room for, so the reader waits for the disk after each few
/// thousand events. When too much is stored it waits for the receivers, as long as they take something.
@MainActor
struct Pacer {
    /// Rows between two waits; at two events each they fill half of the engine's buffer.
    private static let rows = 2_048
    /// The stored events at which the reader waits for the receivers, and at which it goes on.
    private static let backlog = (most: 20_000, least: 10_000)
    /// How often a step may deliver nothing before the receivers count as down.
    private static let patience = 20

    private let tracking: LiveTracking
    private let waitsForReceivers: Bool
    private var unpaced = 0
    /// What had been delivered when the receivers were found to be down.
    private var stalledAt: Int?

    /// Creates a pacer; without receivers only the disk is waited for.
    init(_ tracking: LiveTracking, waitsForReceivers: Bool) {
        self.tracking = tracking
        self.waitsForReceivers = waitsForReceivers
    }

    /// Waits where there is a reason to, after each row; answers whether it has looked.
    mutating func pause(unless interruption: Interruption) async -> Bool {
        unpaced += 1
        guard unpaced >= Pacer.rows else { return false }
        await wait(unless: interruption)
        return true
    }

    /// Waits for the disk, and for the receivers if they have too much to take.
    mutating func wait(unless interruption: Interruption) async {
        unpaced = 0
        await tracking.engine.persist()
        guard waitsForReceivers else { return }
        let statistics = await tracking.engine.statistics()
        let delivered = statistics.reduce(0) { $0 + $1.ledger.delivered }
        guard stalledAt != delivered, statistics.reduce(0, { $0 + $1.ledger.pending }) > Pacer.backlog.most else {
            return
        }
        stalledAt = nil
        await waitForReceivers(unless: interruption)
    }

    private mutating func waitForReceivers(unless interruption: Interruption) async {
        var idle = 0
        while !interruption.isRaised {
            let report = await tracking.engine.flush(deadline: .milliseconds(250))
            // A lane that waits for its receiver or is paused is not waited for: its events stay on disk.
            let moving = report.lanes.filter { $0.outcome == .deadlinePassed }
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
