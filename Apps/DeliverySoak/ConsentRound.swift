import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector

/// A queue whose consent several tasks set at once: a denial comes last, and after a restart a grant does.
struct ConsentRound {
    private static let canary = "CANARY-OF-THE-SOAK"

    /// Requests that began after the denial had returned, up to the next word after the restart.
    private(set) var requestsAfterDenial = 0
    /// Files of the queue in which a payload was found after the denial, before and after the restart.
    private(set) var leftBytes = 0
    /// Whether what was tracked after the last grant was delivered.
    private(set) var grantHolds = false

    private let directory: URL
    private let collector: LoopbackCollector
    private let destination: LineDestination

    /// Makes a round whose tasks set the words before the denial, and others before the grant.
    static func run(events: Int, words: [[Consent]], later: [[Consent]]) async throws -> ConsentRound {
        var round = try ConsentRound()
        defer {
            round.collector.close()
            try? FileManager.default.removeItem(at: round.directory)
        }
        let begun = try await round.deny(events: events, words: words)
        try await round.restart(begunRequests: begun, words: later)
        return round
    }

    private init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "soak-consent-\(UUID().uuidString)")
        collector = try LoopbackCollector(services: [], keeps: .idsOnly)
        destination = LineDestination(
            lane: LaneID(product: "C", service: "lines"),
            order: .none,
            limits: BatchLimits(events: 10, bodyBytes: 100_000, inFlight: 4),
            endpoint: collector.url.appending(path: "lines").url
        )
    }

    /// Denies during an upload; returns how many requests had begun when the denial returned.
    private mutating func deny(events: Int, words: [[Consent]]) async throws -> Int {
        let engine = try await open()
        let lane = engine.lane(destination.lane)
        for _ in 1...events { ConsentRound.track(on: lane) }
        await collector.tally { $0.begunRequests > 0 }
        let speakers = ConsentSpeakers(engine: engine, collector: collector, lastWord: .denied)
        let begun = try await speakers.say(words) { ConsentRound.track(on: lane) }
        try await trackLate(on: lane, of: engine)
        await engine.close(deadline: .zero)
        return begun
    }

    /// Opens the queue again, where the denial still holds, and grants.
    private mutating func restart(begunRequests: Int, words: [[Consent]]) async throws {
        let engine = try await open()
        let lane = engine.lane(destination.lane)
        try await trackLate(on: lane, of: engine)
        requestsAfterDenial = collector.tally.begunRequests - begunRequests
        let speakers = ConsentSpeakers(engine: engine, collector: collector, lastWord: .granted)
        _ = try await speakers.say(words) { ConsentRound.track(on: lane) }
        let receipt = await lane.track("granted", parameters: [:], until: .persisted)
        let report = await engine.flush(deadline: .seconds(30))
        grantHolds = receipt.outcome == .persisted && report.isDrained
        await engine.close(deadline: .zero)
    }

    private func open() async throws -> DeliveryEngine {
        let engine = DeliveryEngine()
        try await engine.open(DeliveryConfiguration(directory: directory, destinations: [destination]))
        return engine
    }

    /// Tracks what must be neither sent nor stored.
    private mutating func trackLate(on lane: DeliveryLane, of engine: DeliveryEngine) async throws {
        for _ in 1...10 { ConsentRound.track(on: lane) }
        _ = await engine.flush(deadline: .milliseconds(100))
        leftBytes += try filesWithCanary()
    }

    private static func track(on lane: DeliveryLane) {
        lane.track("asked", parameters: ["canary": .string(canary)])
    }

    private func filesWithCanary() throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).count { name in
            let data = FileManager.default.contents(atPath: directory.appending(path: name).path) ?? Data()
            return data.range(of: Data(ConsentRound.canary.utf8)) != nil
        }
    }
}
