import AdobeTracker
import BrazeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Foundation
import GoogleAnalytics
import LoopbackCollector
import SumoTracker

/// A queue of the vendors' destinations that delivers to strict stand-ins of their receivers.
///
/// Events have hostile texts, ages of up to five days and different users. The engine is closed and opened again and
/// again without time to deliver. The stand-ins apply many rules to each event and are slower than the engine, so a long
/// queue is delivered before more events are tracked, and pauses leave the processor to the killed processes.
struct VendorRound {
    /// The events with a receipt, by service.
    private(set) var receipts = 0
    /// The number of these events not stored by any stand-in.
    private(set) var lost = 0
    private(set) var pending = 0
    /// A line for each lane with dropped events, and for each quarantined event.
    private(set) var dropped: [String] = []
    private(set) var faults = 0
    private(set) var violations: [String] = []

    private let directory: URL
    private let receivers: StrictReceivers
    private let destinations: [(service: CollectorService, destination: any Destination)]
    private var random: SeededGenerator
    private var tracked: [(id: EventID, service: CollectorService)] = []

    /// Tracks and delivers until the given time, and delivers the rest without faults.
    static func run(seed: UInt64, until end: ContinuousClock.Instant) async throws -> VendorRound {
        var round = try VendorRound(seed: seed)
        defer { try? FileManager.default.removeItem(at: round.directory) }
        repeat {
            try await round.trackAndClose()
            try await Task.sleep(for: .seconds(1))
        } while ContinuousClock.now < end
        try await round.drain()
        return round
    }

    private init(seed: UInt64) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "soak-vendors-\(UUID().uuidString)")
        receivers = try StrictReceivers(seed: seed)
        destinations = try VendorRound.destinations(at: receivers.endpoint)
        random = SeededGenerator(seed: seed)
    }

    private static func destinations(
        at endpoint: Endpoint
    ) throws -> [(service: CollectorService, destination: any Destination)] {
        let app = try FirebaseConfiguration(
            endpoint: endpoint,
            firebaseAppID: "1:100000000001:ios:0d01a9117e000001",
            apiSecret: "soak"
        )
        let web = try GoogleAnalyticsConfiguration(measurementID: "G-SOAK00001", apiSecret: "soak", endpoint: endpoint)
        let braze = try BrazeConfiguration(endpoint: endpoint, apiKey: "soak")
        let sumo = SumoConfiguration(endpoint: endpoint.appending(path: "receiver/v1/http/soak"))
        let adobe = try AdobeConfiguration(datastreamID: "soak", endpoint: endpoint, tenant: "_soak")
        return [
            (.firebase, FirebaseDestination(product: "V", configuration: app)),
            (.googleAnalytics, GoogleAnalyticsDestination(product: "V", configuration: web)),
            (.braze, BrazeDestination(product: "V", configuration: braze)),
            (.adobe, AdobeDestination(product: "V", configuration: adobe)),
            (.sumo, SumoDestination(product: "V", configuration: sumo)),
        ]
    }

    private func open(age: Int64) async throws -> DeliveryEngine {
        let clock = SystemClock()
        let engine = DeliveryEngine(eventTime: { clock.wallTime().advanced(bySeconds: -age) })
        var configuration = DeliveryConfiguration(directory: directory, destinations: destinations.map(\.destination))
        configuration.budget = DeliveryBudget(events: 10_000_000, bytes: 4_000_000_000)
        configuration.log = .off
        try await engine.open(configuration)
        await engine.resume()
        return engine
    }

    /// Tracks events of one age by a new engine, and closes it.
    private mutating func trackAndClose() async throws {
        let engine = try await open(age: Int64.random(in: -3_600...432_000, using: &random))
        if Bool.random(using: &random) { engine.user.identify("u-\(Int.random(in: 1...9, using: &random))") }
        for (service, destination) in destinations {
            let lane = engine.lane(destination.lane)
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                lane.track("play_start", parameters: parameters())
            }
            // The lane stores events in the order of the calls, so this receipt is valid for the others too.
            let receipt = await lane.trackUntilStored("play_stop", parameters: parameters())
            if receipt.outcome == .stored { tracked.append((receipt.id, service)) }
        }
        let report = await engine.flush(timeout: .milliseconds(Int.random(in: 1...300, using: &random)))
        if report.lanes.contains(where: { $0.pending > 1_000 }) { await engine.drainResuming() }
        await engine.close(timeout: .zero)
    }

    /// Returns parameters that break rules of some vendors.
    private mutating func parameters() -> EventParameters {
        let texts = [
            "", "\"},{\"name\":\"forged\"}", "\u{0}\r\n", "e\u{301}é", "👩‍👩‍👧", String(repeating: "ü", count: 300),
        ]
        let keys = [
            "plain", "$\u{301}dollar", "time", "event_id", "ga_x", "timestamp_micros", "text",
            String(repeating: "€", count: 170),
        ]
        let text = texts.randomElement(using: &random) ?? ""
        let key = keys.randomElement(using: &random) ?? ""
        return [
            ParameterKey(key): .string(text), "number": .double(Double.random(in: -1...1, using: &random)),
            "items": [["item_id": .string(text), "price": 1.5]], "flag": .bool(Bool.random(using: &random)),
        ]
    }

    private mutating func drain() async throws {
        receivers.calm()
        let engine = try await open(age: 0)
        await engine.drainResuming()
        try await LedgerCheck.check(engine)
        let statistics = await engine.statistics()
        let quarantined = await engine.quarantine.events()
        await engine.close(timeout: .seconds(1))
        receipts = tracked.count
        lost = tracked.count { !receivers.hasStored($0.id, of: $0.service) }
        pending = statistics.reduce(0) { $0 + $1.ledger.pending }
        dropped = statistics.filter { $0.ledger.droppedTotal > 0 }.map { "\($0)" }
        dropped += quarantined.map { "\($0.lane) quarantined: \($0.reason)" }
        faults = receivers.snapshot.faults
        violations = receivers.snapshot.violations
    }
}
