import CoreTracker
import DeliveryMetrics
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

/// Tests with a full disk below a real file.
@Suite(.timeLimit(.minutes(5))) struct FullDiskTests {
    @Test func `on a full disk tracking continues, memory is bounded, and events beyond the bound are counted`()
        async throws
    {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.openWithFaults()
        harness.track(1...100)
        await harness.engine.storeBuffered()

        DiskFaults.set(.write(ENOSPC), for: queue.url)
        for batch in 0..<30 {
            harness.track((batch * 1_000)..<((batch + 1) * 1_000))
            await harness.engine.storeBuffered()
        }

        let ledger = await harness.ledger
        #expect(ledger.accepted == 30_100)
        #expect(ledger.dropped.keys.allSatisfy { $0 == .bufferFull })
        #expect(ledger.pending == 30_100 - ledger.droppedTotal)
        #expect((8_192...20_000).contains(ledger.pending))
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `when the disk accepts writes again, all events are stored for the next process`() async throws {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.openWithFaults()
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        harness.track(1...1_000)
        await harness.engine.storeBuffered()

        DiskFaults.set(nil, for: queue.url)
        _ = await harness.clock.nextSleep { $0 <= .seconds(60) }
        harness.clock.advance(by: .seconds(61))
        let recovered = await diagnostics.next { $0 == .storageRecovered }
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        next.track([0])
        let report = await next.engine.flush(timeout: .seconds(60))

        #expect(recovered != nil)
        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == Array(1...1_000) + [0])
        try await LedgerCheck.check(next.engine)
    }

    @Test func `at a close, events that a full disk never took are lost and counted, and no later start has them`()
        async throws
    {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.openWithFaults()
        let outcomes = harness.engine.outcomes()
        harness.track(1...100)
        await harness.engine.storeBuffered()
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        for batch in 1...12 {
            harness.track((batch * 1_000)..<((batch + 1) * 1_000))
            await harness.engine.storeBuffered()
        }

        let report = await harness.engine.close(timeout: .zero)
        let lane = try #require(await harness.engine.statistics().first)
        DiskFaults.set(nil, for: queue.url)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        _ = await next.engine.flush(timeout: .seconds(60))

        #expect(lane.ledger.accepted == 12_100 && lane.ledger.pending == 100)
        #expect(lane.ledger.dropped == [.storageFull: 12_000])
        #expect(report.lanes.first?.dropped == [.storageFull: 12_000])
        #expect(lane.explanations.map(\.name).contains("dropped.storage_full"))
        #expect(next.transport.requests.flatMap(\.numbers) == Array(1...100))
        var lost = 0
        for await outcome in outcomes where outcome.kind == .dropped(.storageFull) { lost += outcome.count }
        #expect(lost == 12_000)
        try await LedgerCheck.check(next.engine)
        await next.engine.close(timeout: .zero)
    }

    @Test func `at a close on a full disk, an event that was quarantined in memory is lost, and a stored one is not`()
        async throws
    {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(limits: BatchLimits(events: 1, bodyBytes: 1_000_000), directory: queue.url)
        try await harness.openWithFaults()
        harness.engine.hold(reason: .maintenance)
        harness.track([1])
        await harness.engine.storeBuffered()
        harness.transport.setScript { _, _ in .status(400) }
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        harness.track([2])
        harness.engine.release(reason: .maintenance)
        while await harness.ledger.quarantined < 2 { _ = await harness.engine.flush(timeout: .seconds(1)) }

        await harness.engine.close(timeout: .zero)
        let ledger = await harness.ledger
        DiskFaults.set(nil, for: queue.url)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        _ = await next.engine.flush(timeout: .seconds(60))

        #expect(ledger.quarantined == 1 && ledger.dropped == [.storageFull: 1] && ledger.accepted == 2)
        #expect(next.transport.requests.flatMap(\.numbers) == [1])
        await next.engine.close(timeout: .zero)
    }

    @Test func `events that are tracked on a full disk are delivered from memory, with their receipts`()
        async throws
    {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url)
        try await harness.openWithFaults()
        DiskFaults.set(.write(ENOSPC), for: queue.url)

        let receipts = await withTaskGroup(of: Receipt.self) { group in
            for number in 1...3 {
                group.addTask {
                    await harness.engine.lane(harness.destination.lane)
                        .trackUntilStored("viewed", parameters: ["n": .int(number)])
                }
            }
            return await group.reduce(into: []) { $0.append($1.outcome) }
        }
        harness.track([4])
        let report = await harness.engine.flush(timeout: .seconds(60))

        #expect(receipts == [.stored, .stored, .stored])
        #expect(report.isDrained)
        #expect(Set(harness.transport.requests.flatMap(\.numbers)) == [1, 2, 3, 4])
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `acknowledged events that cannot be deleted are not sent again`() async throws {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(limits: BatchLimits(events: 50, bodyBytes: 1_000_000), directory: queue.url)
        // All events are stored before the lane starts, so its first request is full.
        harness.track(1...500)
        try await harness.openWithFaults { number in number == 1 ? .status(503) : .status(200) }
        await harness.engine.storeBuffered()
        // The flush would otherwise wait for the back-off of a response that arrives after its start.
        while await harness.engine.statistics().first?.nextAttempt == nil { await Task.yield() }

        DiskFaults.set(.write(ENOSPC), for: queue.url)
        let report = await harness.engine.flush(timeout: .seconds(60))
        let second = await harness.engine.flush(timeout: .seconds(60))
        let sent = harness.transport.requests.flatMap(\.numbers)
        DiskFaults.set(nil, for: queue.url)
        await harness.engine.close(timeout: .zero)
        let next = LaneHarness(directory: queue.url)
        try await next.open()

        #expect(report.isDrained && second.isDrained)
        #expect(sent.sorted() == (Array(1...50) + Array(1...500)).sorted())
        #expect(await next.ledger.pending == 0)
        try await LedgerCheck.check(next.engine)
    }

    @Test func `a batch that is bisected on a full disk keeps all its events`() async throws {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url)
        try await harness.openWithFaults()
        harness.transport.setScript { request, _ in request.numbers.contains(7) ? .status(400) : .status(200) }
        DiskFaults.set(.write(ENOSPC), for: queue.url)

        harness.track(1...40)
        let report = await harness.engine.flush(timeout: .seconds(60))
        let ledger = await harness.ledger
        try await LedgerCheck.check(harness.engine)

        #expect(report.isDrained)
        #expect(ledger.delivered == 39)
        #expect(ledger.quarantined == 1)
        #expect(ledger.dropped.isEmpty)
    }

    @Test func `on a disk without space for growth the engine uses the free space in its files`() async throws {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url)
        try await harness.openWithFaults()
        harness.track(1...5_000)
        _ = await harness.engine.flush(timeout: .seconds(60))
        DiskFaults.set(.noGrowth, for: queue.url)

        for number in 1...20 {
            harness.track((number * 10)..<((number + 1) * 10))
            _ = await harness.engine.flush(timeout: .seconds(60))
        }
        let ledger = await harness.ledger

        #expect(ledger.delivered == 5_200)
        #expect(ledger.dropped.isEmpty)
        try await LedgerCheck.check(harness.engine)
    }
}

extension LaneHarness {
    /// Opens the engine after ``DiskFaults`` was prepared for its files.
    func openWithFaults(script: (@Sendable (Int) -> ScriptedTransport.Action)? = nil) async throws {
        if let script { transport.setScript { _, number in script(number) } }
        DiskFaults.prepare()
        try await open()
    }
}
