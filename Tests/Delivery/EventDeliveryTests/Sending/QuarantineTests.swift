import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(5))) struct QuarantineTests {
    @Test func `a quarantined event is inspected, and a retry delivers it with the id that it had`() async throws {
        let harness = LaneHarness { _, number in
            number == 1 ? .respond(HTTPResponse(status: 422, body: Array("no such field".utf8))) : .status(200)
        }
        try await harness.open()
        let id = await harness.store(1)
        _ = await harness.engine.flush(timeout: .seconds(5))
        let refused = try #require(await harness.engine.quarantine.events(on: harness.destination.lane).first)
        let before = await harness.engine.explain(id)?.status

        let retried = await harness.engine.quarantine.retry([id, EventID.stub(7)])
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(refused.id == id)
        #expect(refused.response == "no such field")
        #expect(before == .quarantined(reason: "status 422"))
        #expect(retried == 1)
        #expect(report.isDrained)
        #expect(harness.transport.requests.map(\.eventIDs) == [[id.description], [id.description]])
        #expect(await harness.engine.explain(id)?.status == .delivered)
        #expect(await harness.engine.quarantine.events().isEmpty)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `a retried event that waits is queued, not quarantined`() async throws {
        let harness = LaneHarness { _, number in number == 1 ? .status(400) : .hang }
        try await harness.open()
        let id = await harness.store(1)
        _ = await harness.engine.flush(timeout: .seconds(5))

        await harness.engine.quarantine.retry([id])
        await harness.transport.requests(count: 2)

        #expect(await harness.engine.explain(id)?.status == .sending(attempts: 1))
        #expect(await harness.engine.statistics().map(\.oldestQueuedAge) == [.zero])
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `of 1,999 events refused in one response, the newest fill the quarantine and the rest is one loss`()
        async throws
    {
        let harness = LaneHarness(limits: BatchLimits(events: 2_000, bodyBytes: 1_000_000))
        let engine = DeliveryEngine(clock: harness.clock)
        let refusals = (1..<2_000).map { ($0, BatchResult.EventResult.refused("no \($0)")) }
        let destination = JudgingDestination(
            base: harness.destination,
            results: [.partial(Dictionary(uniqueKeysWithValues: refusals))]
        )
        let diagnostics = engine.diagnostics()
        for number in 0...2_000 {
            engine.lane(harness.destination.lane).track("viewed", parameters: ["n": .int(number)])
        }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: harness.transport)
        )

        let report = await engine.flush(timeout: .seconds(5))
        let refused = await engine.quarantine.events()
        await engine.close(timeout: .zero)

        var losses: [Diagnostic] = []
        for await diagnostic in diagnostics { if case .dropped = diagnostic { losses.append(diagnostic) } }
        #expect(report.isDrained)
        #expect(refused.map { $0.fragment.numbers.first } == Array(1_500..<2_000))
        #expect(losses == [.dropped(lane: destination.lane, reason: .quarantineFull, count: 1_499)])
        #expect(report.lanes.first?.dropped == [.quarantineFull: 1_499])
    }

    @Test func `discarded events are counted`() async throws {
        let harness = LaneHarness { request, _ in request.numbers == [3] ? .status(200) : .status(400) }
        harness.track(1...3)
        try await harness.open()
        _ = await harness.engine.flush(timeout: .seconds(5))
        let ids = Set(await harness.engine.quarantine.events().map(\.id))

        let discarded = await harness.engine.quarantine.discard(ids)

        #expect(discarded == 2 && ids.count == 2)
        #expect(await harness.ledger.dropped == [.discarded: ids.count])
        #expect(await harness.ledger.quarantined == 0)
        for id in ids { #expect(await harness.engine.explain(id)?.status == .dropped(.discarded)) }
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `beyond the limit the oldest event of the fullest lane is dropped and counted`() async throws {
        let lanes = ["flood", "calm"].map { LaneID(product: "T", service: $0) }
        let engine = DeliveryEngine(clock: TestClock())
        for number in 1...12 { engine.lane(lanes[0]).track("viewed", parameters: ["n": .int(number)]) }
        for number in 1...2 { engine.lane(lanes[1]).track("viewed", parameters: ["n": .int(number)]) }
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: lanes.map { LineDestination(lane: $0) },
            transport: ScriptedTransport { _, _ in .status(400) }
        )
        configuration.budget = DeliveryBudget(quarantinedEvents: 6)
        try await engine.open(configuration)

        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let ledgers = Dictionary(uniqueKeysWithValues: await engine.statistics().map { ($0.id, $0.ledger) })
        #expect(ledgers[lanes[1]]?.quarantined == 2)
        #expect(ledgers[lanes[0]]?.quarantined == 4)
        #expect(ledgers[lanes[0]]?.dropped == [.quarantineFull: 8])
        #expect(await engine.quarantine.events(on: lanes[0]).count == 4)
        try await LedgerCheck.check(engine)
    }

    @Test func `many events that one response refuses keep to the limits of number and size`() async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        // The last event arrives, which shows that the receiver is not at fault.
        for number in 1...51 { engine.lane(harness.destination.lane).track("viewed", parameters: ["n": .int(number)]) }
        let all = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, BatchResult.EventResult.refused("no")) })
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [JudgingDestination(base: harness.destination, results: [.partial(all)])],
            transport: harness.transport
        )
        configuration.budget = DeliveryBudget(quarantinedEvents: 20, quarantinedBytes: 2_000)
        try await engine.open(configuration)

        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let kept = await engine.quarantine.events()
        #expect(kept.count < 20 && kept.count > 5)
        #expect(kept.reduce(0) { $0 + $1.fragment.count } <= 2_000)
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.quarantineFull: 50 - kept.count]])
        try await LedgerCheck.check(engine)
    }

    @Test func `quarantined events and events without a destination expire`()
        async throws
    {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let gone = LineDestination(lane: LaneID(product: "T", service: "gone"))
        let first = LaneHarness(directory: directory)
        var diagnostics = first.engine.diagnostics().makeAsyncIterator()
        try await first.engine.open(
            DeliveryConfiguration(
                directory: directory,
                destinations: [first.destination, gone],
                transport: ScriptedTransport { request, _ in
                    request.numbers == [1] ? .status(400) : .fail(.connectionFailed(code: 111))
                }
            )
        )
        first.engine.lane(gone.lane).track("viewed", parameters: ["n": .int(2)])
        _ = await first.store(1)
        _ = await diagnostics.next { if case .quarantined = $0 { true } else { false } }
        await first.engine.close(timeout: .zero)
        let later = first.clock.wallTime().advanced(bySeconds: 31 * 24 * 3600)

        let second = LaneHarness(clock: TestClock(wall: later, bootID: "boot-2"), directory: directory) { _, _ in
            .respond(HTTPResponse(status: 200, headers: ["Date": later.httpDate]))
        }
        try await second.open()
        let kept = await second.engine.quarantine.events().count
        second.track([3])
        _ = await second.engine.flush(timeout: .seconds(5))
        let ledgers = Dictionary(uniqueKeysWithValues: await second.engine.statistics().map { ($0.id, $0.ledger) })

        #expect(kept == 1)
        #expect(await second.engine.quarantine.events().isEmpty)
        #expect(ledgers[second.destination.lane]?.dropped == [.expired: 1])
        #expect(ledgers[gone.lane]?.dropped == [.expired: 1])
        try await LedgerCheck.check(second.engine)
    }

    @Test func `the quarantine and the ledger survive a restart`() async throws {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = LaneHarness(directory: directory) { request, _ in
            request.numbers == [1] ? .respond(HTTPResponse(status: 400, body: [0x00, 0x41])) : .status(200)
        }
        try await first.open()
        let id = await first.store(1)
        _ = await first.engine.flush(timeout: .seconds(5))
        first.track(2...4)
        await first.engine.close(timeout: .seconds(5))
        let before = await first.ledger

        let second = LaneHarness(directory: directory)
        try await second.open()
        let refused = await second.engine.quarantine.events()
        let statistics = try #require(await second.engine.statistics().first)
        await second.engine.quarantine.retry([id])
        let report = await second.engine.flush(timeout: .seconds(5))

        #expect(refused.map(\.response) == ["\\u{00}A"] || refused.map(\.response) == ["\\0A"])
        #expect(statistics.ledger == before)
        #expect(statistics.ledgerSinceOpening == LaneLedger())
        #expect(report.isDrained)
        #expect(second.transport.requests.map(\.eventIDs) == [[id.description]])
        try await LedgerCheck.check(second.engine)
    }

    @Test(arguments: [true, false])
    func `a change that the disk refuses leaves an event in quarantine`(isRetry: Bool) async throws {
        let queue = try TemporaryQueue()
        DiskFaults.prepare()
        let harness = LaneHarness(directory: queue.url) { _, _ in .status(400) }
        try await harness.open()
        let id = await harness.store(1)
        _ = await harness.engine.flush(timeout: .seconds(5))
        let quarantine = harness.engine.quarantine

        DiskFaults.set(.write(ENOSPC), for: queue.url)
        let changed = isRetry ? await quarantine.retry([id]) : await quarantine.discard([id])
        let ledger = await harness.ledger
        await harness.engine.close(timeout: .zero)
        DiskFaults.set(nil, for: queue.url)
        let second = LaneHarness(directory: queue.url)
        try await second.open()

        #expect(changed == 0)
        #expect((ledger.pending, ledger.quarantined) == (0, 1))
        #expect(await second.ledger == ledger)
        #expect(await second.engine.quarantine.events().map(\.id) == [id])
        await second.engine.close(timeout: .zero)
    }

    @Test func `the limit is kept without reading the stored quarantine`() async throws {
        let queue = try TemporaryQueue()
        DiskFaults.prepare()
        let harness = LaneHarness(
            limits: BatchLimits(events: 1, bodyBytes: 100_000),
            directory: queue.url,
            budget: DeliveryBudget(quarantinedEvents: 2)
        ) { request, _ in request.numbers == [4] ? .status(200) : .status(400) }
        try await harness.open()
        var ids: [EventID] = []
        for number in 1...2 { ids.append(await harness.store(number)) }
        _ = await harness.engine.flush(timeout: .seconds(5))
        #expect(await harness.engine.quarantine.events().map(\.id) == ids)

        DiskFaults.set(.read(EIO, 0..<off_t.max), for: queue.url)
        ids.append(await harness.store(3))
        _ = await harness.engine.flush(timeout: .seconds(5))
        DiskFaults.set(nil, for: queue.url)

        #expect(await harness.engine.quarantine.events().map(\.id) == Array(ids.dropFirst()))
        #expect(await harness.ledger.dropped == [.quarantineFull: 1])
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)
    }

    @Test func `events of a granted purpose that is unknown again expire`() async throws {
        let queue = try TemporaryQueue()
        let marketing = LineDestination(lane: LaneID(product: "T", service: "marketing"), purpose: .marketing)
        let first = LaneHarness(directory: queue.url)
        let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        try await first.engine.open(configuration(queue.url, [first.destination, marketing], transport))
        let lane = first.engine.lane(marketing.lane)
        // One event is in a sent batch, the other is not.
        let strict = TrackOptions(durability: .strict)
        for number in 1...2 {
            _ = await lane.trackUntilStored("viewed", parameters: ["n": .int(number)], options: strict)
            if number == 1 { await transport.requests(count: 1) }
        }
        try await first.engine.setConsent(.unknown, for: .marketing)
        await first.engine.close(timeout: .zero)
        let later = first.clock.wallTime().advanced(bySeconds: 31 * 24 * 3600)

        let second = LaneHarness(clock: TestClock(wall: later, bootID: "boot-2"))
        let dated = ScriptedTransport { _, _ in
            .respond(HTTPResponse(status: 200, headers: ["Date": later.httpDate]))
        }
        try await second.engine.open(configuration(queue.url, [second.destination, marketing], dated))
        let waiting = await ledger(of: marketing, in: second.engine)
        second.track([3])
        _ = await second.engine.flush(timeout: .seconds(5))
        let expired = await ledger(of: marketing, in: second.engine)

        #expect(waiting?.pending == 2)
        #expect(expired?.dropped == [.expired: 2])
        #expect(dated.requests.map(\.numbers) == [[3]])
        try await LedgerCheck.check(second.engine)
        await second.engine.close(timeout: .zero)
    }

    private func configuration(
        _ directory: URL,
        _ destinations: [LineDestination],
        _ transport: ScriptedTransport
    ) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: directory, destinations: destinations, transport: transport)
    }

    private func ledger(of destination: LineDestination, in engine: DeliveryEngine) async -> LaneLedger? {
        await engine.statistics().first { $0.id == destination.lane }?.ledger
    }
}
