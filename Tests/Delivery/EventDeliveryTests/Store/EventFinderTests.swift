import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct EventFinderTests {
    @Test func `an event is explained at each stage of its way`() async throws {
        let harness = LaneHarness(limits: BatchLimits(events: 1, bodyBytes: 10_000)) { _, number in
            number <= 2 ? .status(503) : .status(200)
        }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        let (first, second) = (await harness.store(1), await harness.store(2))
        harness.clock.advance(by: try #require(await diagnostics.nextRetry()))
        let wait = try #require(await diagnostics.nextRetry())

        let waiting = [await harness.engine.explain(first), await harness.engine.explain(second)]
        harness.clock.advance(by: wait)
        _ = await harness.engine.flush(deadline: .seconds(5))
        let done = [await harness.engine.explain(first), await harness.engine.explain(second)]

        #expect(waiting.map { $0?.status } == [.sending(attempts: 2), .queued])
        #expect(done.map { $0?.status } == [.delivered, .delivered])
        #expect(done.map { $0?.lane } == [harness.destination.lane, harness.destination.lane])
        #expect(await harness.engine.explain(.stub(99)) == nil)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `an event that waits for consent, or has been refused it, is explained`() async throws {
        let harness = LaneHarness()
        let engine = DeliveryEngine(clock: harness.clock)
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [harness.destination],
                transport: harness.transport,
                defaultConsent: .unknown
            )
        )
        let lane = engine.lane(harness.destination.lane)
        let id = await lane.track("viewed", parameters: [:], until: .persisted).id

        let held = await engine.explain(id)
        try await engine.setConsent(.granted, for: .analytics)
        _ = await engine.flush(deadline: .seconds(5))
        let granted = await engine.explain(id)

        #expect(held?.status == .awaitingConsent)
        #expect(granted?.status == .delivered)
        try await LedgerCheck.check(engine)
    }

    @Test func `an event that breaks a rule, is too large or has nowhere to go is explained`() async throws {
        let harness = LaneHarness(limits: BatchLimits(events: 9, bodyBytes: 10_000, eventBytes: 500))
        try await harness.open()
        let lane = harness.engine.lane(harness.destination.lane)
        let long: EventParameters = ["text": .string(String(repeating: "x", count: 600))]

        let strict = TrackOptions(durability: .strict)
        let nowhere = harness.engine.lane(LaneID(product: "T", service: "none"))
        let receipts = [
            await lane.track("", parameters: [:], options: strict, until: .persisted),
            await lane.track("viewed", parameters: long, options: strict, until: .persisted),
            await nowhere.track("viewed", parameters: [:], options: strict, until: .persisted),
        ]

        let reasons: [DropReason] = [.rule("name_empty"), .tooLarge, .noDestination]
        #expect(receipts.map(\.outcome) == reasons.map { .lost($0) })
        for (receipt, reason) in zip(receipts, reasons) {
            #expect(await harness.engine.explain(receipt.id)?.status == .dropped(reason))
        }
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `statistics tell the oldest event's age and the last success`() async throws {
        let harness = LaneHarness { _, number in number == 2 ? .asking(for: 100) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        let start = harness.clock.wallTime()
        harness.track(1...1)
        _ = await harness.engine.flush(deadline: .seconds(5))
        harness.track(2...2)
        _ = await diagnostics.nextRetry()

        harness.clock.advance(by: .seconds(70))
        let waiting = try #require(await harness.engine.statistics().first)
        harness.clock.jumpWall(bySeconds: 630_720_000)
        let jumped = try #require(await harness.engine.statistics().first)
        harness.clock.advance(by: .seconds(40))
        _ = await harness.engine.flush(deadline: .seconds(5))
        let done = try #require(await harness.engine.statistics().first)

        #expect(waiting.oldestQueuedAge == .seconds(70) && jumped.oldestQueuedAge == .seconds(70))
        #expect(waiting.lastSuccess == start)
        #expect(waiting.ledgerSinceOpening.delivered == 1)
        #expect(done.oldestQueuedAge == nil)
        #expect(done.lastSuccess == harness.clock.wallTime())
        try await LedgerCheck.check(harness.engine)
    }
}
