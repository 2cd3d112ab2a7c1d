import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector

/// A test round in which several tasks set the consent of one queue concurrently.
///
/// The last decision is a denial. After a restart, the last decision is a grant.
struct ConsentRound {
    private static let canary = "CANARY-OF-THE-SOAK"

    /// The number of requests in flight when the denial returned, or started before the next decision.
    private(set) var requestsAfterDenial = 0
    /// The number of files that contained a payload after the denial, before and after the restart.
    private(set) var leftBytes = 0
    /// Whether the events tracked after the last grant were delivered.
    private(set) var grantHolds = false

    private let directory: URL
    private let collector: LoopbackCollector
    private let transport = CountingTransport()
    private let destination: LineDestination

    /// Runs a round.
    ///
    /// - Parameters:
    ///   - events: The number of events before the denial.
    ///   - words: The decisions before the denial, one list for each task.
    ///   - later: The decisions before the grant, one list for each task.
    static func run(events: Int, words: [[Consent]], later: [[Consent]]) async throws -> ConsentRound {
        var round = try ConsentRound()
        defer {
            round.collector.close()
            try? FileManager.default.removeItem(at: round.directory)
        }
        let count = try await round.deny(events: events, words: words)
        try await round.restart(after: count, words: later)
        return round
    }

    private init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "soak-consent-\(UUID().uuidString)")
        // The responses are late enough for requests to be in flight during the denial.
        let script = CollectorScript.always(.delay(.milliseconds(50), then: .accept))
        collector = try LoopbackCollector(services: [], retention: .idsOnly, script: script)
        destination = LineDestination(
            lane: LaneID(product: "C", service: "lines"),
            order: .none,
            limits: BatchLimits(events: 10, bodyBytes: 100_000, inFlight: 4),
            endpoint: collector.url.appending(path: "lines").url
        )
    }

    /// Denies consent during an upload.
    ///
    /// Returns the numbers of requests when the denial returned.
    private mutating func deny(events: Int, words: [[Consent]]) async throws -> CountingTransport.Count {
        let engine = try await open()
        let lane = engine.lane(destination.lane)
        for _ in 1...events { ConsentRound.track(on: lane) }
        await collector.tally { $0.startedRequests > 0 }
        let callers = ConsentCallers(engine: engine, transport: transport, lastWord: .denied)
        let count = try await callers.set(words) { ConsentRound.track(on: lane) }
        try await trackLate(on: lane, of: engine)
        await engine.close(timeout: .zero)
        return count
    }

    /// Opens the queue again, checks whether the denial is still in effect, and grants consent.
    private mutating func restart(after denial: CountingTransport.Count, words: [[Consent]]) async throws {
        let engine = try await open()
        let lane = engine.lane(destination.lane)
        try await trackLate(on: lane, of: engine)
        requestsAfterDenial = denial.inFlight + transport.count.started - denial.started
        let callers = ConsentCallers(engine: engine, transport: transport, lastWord: .granted)
        _ = try await callers.set(words) { ConsentRound.track(on: lane) }
        let receipt = await lane.trackUntilStored("granted", parameters: [:])
        let report = await engine.flush(timeout: .seconds(30))
        grantHolds = receipt.outcome == .stored && report.isDrained
        await engine.close(timeout: .zero)
    }

    private func open() async throws -> DeliveryEngine {
        let engine = DeliveryEngine()
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [destination],
            transport: transport
        )
        configuration.log = .off
        try await engine.open(configuration)
        return engine
    }

    /// Tracks events that must be neither sent nor stored.
    private mutating func trackLate(on lane: DeliveryLane, of engine: DeliveryEngine) async throws {
        for _ in 1...10 { ConsentRound.track(on: lane) }
        _ = await engine.flush(timeout: .milliseconds(100))
        leftBytes += try TemporaryQueue.files(in: directory, containing: ConsentRound.canary).count
    }

    private static func track(on lane: DeliveryLane) {
        lane.track("asked", parameters: ["canary": .string(canary)])
    }
}
