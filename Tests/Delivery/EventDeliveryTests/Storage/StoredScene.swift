import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

/// A directory with stored events of two lanes, and the lines that must be delivered for them.
final class StoredScene: Sendable {
    static let lanes = ["a", "b"].map { LaneID(product: "T", service: $0) }

    let queue: TemporaryQueue
    /// The line of each event, by the event's id.
    let lines: [String: String]
    let count: Int

    /// Stores events, and leaves the files of a closed engine or of a killed one.
    init(events count: Int, isKilled: Bool) async throws {
        self.count = count
        let original = try TemporaryQueue()
        let engine = DeliveryEngine(clock: TestClock())
        try await StoredScene.open(engine, original, ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) })
        for number in 0..<count {
            let text = String(repeating: "\(number)·", count: number % 40)
            let lane = engine.lane(StoredScene.lanes[number % 2])
            let parameters: EventParameters = ["n": .int(number), "t": .string(text)]
            if number % 50 == 49 || number == count - 1 {
                // A barrier, and therefore a durability checkpoint, follows each group.
                let options = TrackOptions(durability: .strict)
                _ = await lane.trackUntilStored("stored", parameters: parameters, options: options)
            } else {
                lane.track("stored", parameters: parameters)
            }
        }
        if isKilled {
            queue = try original.copy()
            await engine.close(timeout: .zero)
        } else {
            await engine.close(timeout: .zero)
            queue = try original.copy()
        }
        let transport = ScriptedTransport()
        let copy = try queue.copy()
        let reader = DeliveryEngine()
        try await StoredScene.open(reader, copy, transport)
        await reader.close(timeout: .seconds(300))
        lines = StoredScene.lines(of: transport)
        try #require(lines.count == count)
    }

    /// The delivered and lost events of a damaged copy.
    struct Outcome {
        var delivered = 0
        var lost = 0
        /// Whether the decision about the events' purpose was damaged, so the app had to decide again.
        var isDecisionLost = false
        var ledgers: [LaneLedger] = []
        var lines: [String: String] = [:]
    }

    /// Opens a damaged copy, delivers its events and then a new one.
    func deliver(
        _ damaged: TemporaryQueue,
        clock: any DeliveryClock = SystemClock(),
        transport: ScriptedTransport = ScriptedTransport()
    ) async throws -> Outcome {
        let engine = DeliveryEngine(clock: clock)
        try await StoredScene.open(engine, damaged, transport)
        return try await finish(engine, transport)
    }

    /// Delivers an engine's events and then a new one, and closes the engine.
    func finish(_ engine: DeliveryEngine, _ transport: ScriptedTransport) async throws -> Outcome {
        var outcome = Outcome()
        outcome.isDecisionLost = await engine.statistics().contains { $0.consent == .unknown }
        if outcome.isDecisionLost { try await engine.setConsent(.granted, for: .analytics) }
        let first = await engine.flush(timeout: .seconds(300))
        outcome.lines = StoredScene.lines(of: transport)
        engine.lane(StoredScene.lanes[0]).track("fresh", parameters: [:])
        let second = await engine.flush(timeout: .seconds(300))
        try await LedgerCheck.check(engine)
        #expect(first.isDrained && second.isDrained)
        let fresh = StoredScene.lines(of: transport).filter { outcome.lines[$0.key] == nil }
        #expect(fresh.count == 1, "a new event is delivered")
        outcome.ledgers = await engine.statistics().map(\.ledger)
        outcome.delivered = outcome.lines.count
        outcome.lost = outcome.ledgers.reduce(0) { $0 + $1.droppedTotal }
        await engine.close(timeout: .zero)
        return outcome
    }

    /// Expects that all delivered lines are correct, and that each event is delivered or counted once.
    func expectAccounted(_ outcome: Outcome, _ comment: String) {
        let wrong = outcome.lines.filter { lines[$0.key] != $0.value }
        #expect(wrong.isEmpty, "\(comment): a wrong payload was delivered")
        #expect(outcome.delivered + outcome.lost == count, "\(comment): \(outcome.delivered) + \(outcome.lost)")
        // If a deletion may have been pending, the events of a lost decision are dropped as denied.
        let reasons = Set(outcome.ledgers.flatMap(\.dropped.keys))
        #expect(reasons.isSubset(of: outcome.isDecisionLost ? [.corrupted, .consentDenied] : [.corrupted]))
        let counted = outcome.ledgers.reduce(0) { $0 + $1.delivered }
        #expect(counted == outcome.delivered + 1, "\(comment): \(counted) in the ledgers")
    }

    static func open(_ engine: DeliveryEngine, _ queue: TemporaryQueue, _ transport: ScriptedTransport)
        async throws
    {
        try await engine.open(
            DeliveryConfiguration(
                directory: queue.url,
                destinations: lanes.map { LineDestination(lane: $0) },
                transport: transport
            )
        )
    }

    static func lines(of transport: ScriptedTransport) -> [String: String] {
        var lines: [String: String] = [:]
        for request in transport.requests {
            for bytes in request.body.split(separator: UInt8(ascii: "\n")) {
                let id = bytes.dropFirst(#"{"event_id":""#.utf8.count).prefix(36)
                lines[String(decoding: id, as: UTF8.self)] = String(decoding: bytes, as: UTF8.self)
            }
        }
        return lines
    }
}
