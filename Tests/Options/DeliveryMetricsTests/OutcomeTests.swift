import CoreTracker
import DeliveryMetrics
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(5))) struct OutcomeTests {
    private let queue: TemporaryQueue

    init() throws {
        queue = try TemporaryQueue()
    }

    /// Returns the events of the next outcomes of a kind.
    private static func next(
        _ count: Int,
        _ kind: EventOutcome.Kind,
        of outcomes: AsyncStream<EventOutcome>
    ) async -> [EventID?] {
        var ids: [EventID?] = []
        for await outcome in outcomes where outcome.kind == kind {
            ids.append(outcome.id)
            if ids.count == count { break }
        }
        return ids
    }

    private static func all(_ outcomes: AsyncStream<EventOutcome>) async -> [EventOutcome] {
        var all: [EventOutcome] = []
        for await outcome in outcomes { all.append(outcome) }
        return all
    }

    @Test func `an event is accepted, stored, sent and delivered, in this order, with one id`() async throws {
        let harness = LaneHarness(directory: queue.url)
        let outcomes = harness.engine.outcomes()
        try await harness.open()

        let id = await harness.store(1)
        _ = await harness.engine.flush(timeout: .seconds(5))
        await harness.engine.close(timeout: .zero)

        let all = await OutcomeTests.all(outcomes)
        #expect(all.map(\.kind) == [.accepted, .stored, .sent, .delivered])
        #expect(all.allSatisfy { $0.id == id && $0.count == 1 && $0.lane == harness.destination.lane })
    }

    @Test func `each attempt is sent, and a refused event is quarantined`() async throws {
        let harness = LaneHarness(directory: queue.url) { _, number in number == 1 ? .status(503) : .status(400) }
        let outcomes = harness.engine.outcomes()
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()

        harness.track([1])
        if let wait = await diagnostics.nextRetry() { harness.clock.advance(by: wait) }
        _ = await diagnostics.next { if case .quarantined = $0 { true } else { false } }
        await harness.engine.close(timeout: .zero)

        #expect(await OutcomeTests.all(outcomes).map(\.kind) == [.accepted, .stored, .sent, .sent, .quarantined])
    }

    @Test func `an event that the disk refuses is stored only when the disk accepts it`() async throws {
        DiskFaults.prepare()
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()
        _ = await harness.store(1)
        let outcomes = harness.engine.outcomes()

        DiskFaults.set(.write(ENOSPC), for: queue.url)
        harness.track(2...3)
        await harness.engine.storeBuffered()
        let accepted = await OutcomeTests.next(2, .accepted, of: outcomes)
        // Requests fail meanwhile, and are not stored.
        DiskFaults.set(nil, for: queue.url)
        await harness.engine.storeBuffered()
        let stored = await OutcomeTests.next(2, .stored, of: outcomes)
        await harness.engine.close(timeout: .zero)

        #expect(accepted.count == 2 && stored == accepted)
    }

    @Test func `an event is not stored while the disk refuses it`() async throws {
        DiskFaults.prepare()
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()
        _ = await harness.store(1)
        let outcomes = harness.engine.outcomes()

        DiskFaults.set(.write(ENOSPC), for: queue.url)
        harness.track(2...3)
        await harness.engine.storeBuffered()
        await harness.engine.close(timeout: .zero)
        DiskFaults.set(nil, for: queue.url)

        let kinds = await OutcomeTests.all(outcomes).map(\.kind)
        #expect(kinds.filter { $0 == .accepted }.count == 2)
        #expect(!kinds.contains(.stored))
    }

    @Test func `a refused event is accepted and lost at once, with its id`() async throws {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 1)
        let outcomes = engine.outcomes()
        let lane = engine.lane(LineDestination().lane)

        lane.track("kept", parameters: [:])
        let receipt = await lane.trackUntilStored("refused", parameters: [:])
        await engine.close(timeout: .zero)

        let all = await OutcomeTests.all(outcomes)
        #expect(receipt.dropReason == .bufferFull)
        #expect(all.prefix(2).map(\.id) == [receipt.id, receipt.id])
        #expect(all.map(\.kind) == [.accepted, .dropped(.bufferFull), .accepted, .dropped(.closed)])
    }

    @Test func `an event for a vendor without a service has an id of its own`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let outcomes = engine.outcomes()

        NoVendorService(product: "T", on: engine).track(VendorEvent("vendor", "viewed"))
        await engine.close(timeout: .zero)

        let all = await OutcomeTests.all(outcomes)
        #expect(all.map(\.kind) == [.accepted, .dropped(.noVendorService)])
        #expect(all.first?.id != nil && all.first?.id == all.last?.id)
    }

    @Test func `a listener that never reads does not delay the engine`() async throws {
        let harness = LaneHarness(directory: queue.url)
        let outcomes = harness.engine.outcomes(bufferingNewest: 4)
        try await harness.open()

        for group in 0..<10 {
            harness.track(group * 100..<(group + 1) * 100)
            await harness.engine.storeBuffered()
        }
        let report = await harness.engine.flush(timeout: .seconds(30))
        await harness.engine.close(timeout: .zero)

        let all = await OutcomeTests.all(outcomes)
        #expect(report.isDrained)
        #expect(all.count == 4)
        // A thousand events are accepted, stored, sent and delivered.
        #expect(all.count + all.reduce(0) { $0 + $1.missed } == 4_000)
    }

    @Test(arguments: 1...6) func `the outcomes of each lane agree with its ledger`(seed: UInt64) async throws {
        let scene = OutcomeScene(directory: queue.url, seed: seed)

        try await scene.run()

        for lane in await scene.engine.statistics() {
            let outcomes = await scene.outcomes.filter { $0.lane == lane.id }
            func count(_ kind: EventOutcome.Kind) -> Int {
                outcomes.reduce(0) { $0 + ($1.kind == kind ? $1.count : 0) }
            }
            let lost = Dictionary(outcomes.compactMap { outcome in outcome.kind.reason.map { ($0, outcome.count) } }) {
                $0 + $1
            }
            #expect(count(.accepted) == lane.ledger.accepted)
            #expect(count(.delivered) == lane.ledger.delivered)
            #expect(lost == lane.ledger.dropped)
            #expect(OutcomeScene.violations(in: outcomes).isEmpty)
        }
        #expect(await !scene.outcomes.isEmpty)
    }
}

/// An engine with two lanes, in which events are lost in many ways.
private actor OutcomeScene {
    nonisolated let engine: DeliveryEngine
    private(set) var outcomes: [EventOutcome] = []
    private let clock = TestClock()
    private let directory: URL
    private var random: SeededGenerator
    private let lanes = ["a", "b"].map { LaneID(product: "T", service: $0) }

    init(directory: URL, seed: UInt64) {
        self.directory = directory
        random = SeededGenerator(seed: seed)
        engine = DeliveryEngine(clock: clock, capacity: 64)
    }

    func run() async throws {
        let stream = engine.outcomes(bufferingNewest: 100_000)
        let transport = ScriptedTransport { _, number in
            switch number % 5 {
            case 1: .status(400)
            case 3: .fail(.connectionFailed(code: 111))
            default: .status(200)
            }
        }
        let limits = BatchLimits(events: 5, bodyBytes: 1_000_000)
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [
                LineDestination(lane: lanes[0], limits: limits),
                LineDestination(lane: lanes[1], purpose: .marketing, limits: limits),
            ],
            transport: transport
        )
        configuration.budget = DeliveryBudget(events: 40, eventsAwaitingConsent: 20, quarantinedEvents: 3)
        configuration.consent = [.marketing: .unknown, .analytics: .granted]
        configuration.quotas = TrackQuotas(eventsPerMinute: 200)
        configuration.sessionTimeout = nil
        try await engine.open(configuration)
        for _ in 0..<40 { try await step() }
        await engine.close(timeout: .zero)
        for await outcome in stream { outcomes.append(outcome) }
    }

    private func step() async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try await engine.setConsent(.denied, for: .marketing)
        case 1: try await engine.setConsent(.granted, for: .marketing)
        case 2: try await engine.erase(user: "u1")
        case 3: engine.user.identify(Bool.random(using: &random) ? "u1" : "u2")
        case 4: clock.advance(by: .seconds(70))
        case 5: _ = await engine.flush(timeout: .milliseconds(1))
        case 6: await engine.quarantine.discard(Set(engine.quarantine.events().prefix(1).map(\.id)))
        case 7: await engine.storeBuffered()
        default:
            let lane = engine.lane(lanes.randomElement(using: &random) ?? lanes[0])
            for number in 0..<Int.random(in: 1...80, using: &random) {
                let isHigh = number % 7 == 0
                let name = number % 31 == 30 ? "" : "viewed"
                lane.track(name, parameters: ["n": .int(number)], options: isHigh ? .critical : TrackOptions())
            }
        }
    }

    /// Returns the events whose outcomes are in an impossible order.
    static func violations(in outcomes: [EventOutcome]) -> [EventID] {
        var last: [EventID: Int] = [:]
        var wrong: [EventID] = []
        for outcome in outcomes {
            guard let id = outcome.id else { continue }
            let stage =
                switch outcome.kind {
                case .accepted: 0
                case .stored: 1
                case .sent: 2
                case .quarantined: 3
                case .delivered, .dropped: 4
                }
            let before = last[id] ?? -1
            // Only `sent` can follow itself, and nothing follows the end.
            if before == 4 || (stage <= before && stage != 2) || (before == -1 && stage != 0) { wrong.append(id) }
            last[id] = stage
        }
        return wrong
    }
}
