import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

/// Tests of files with read errors.
@Suite(.timeLimit(.minutes(5))) struct UnreadableFileTests {
    /// All pages except the first one, so a new file can be created beside an unreadable one.
    private static let tables: Range<off_t> = 2_048..<off_t.max

    @Test func `reads that fail for a while delay delivery and lose nothing`() async throws {
        let scene = try await StoredScene(events: 2_000, isKilled: false)
        let queue = try scene.queue.copy()
        DiskFaults.prepare()
        let clock = TestClock()
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: clock)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        transport.setScript { _, number in
            // The first batches have been read. From now on all reads fail.
            if number == 1 { DiskFaults.set(.read(EIO, Self.tables), for: queue.url) }
            return .status(200)
        }

        try await StoredScene.open(engine, queue, transport)
        async let report = engine.flush(timeout: .seconds(9))
        // The flush must have its deadline before the clock moves.
        _ = await clock.nextSleep { $0 > .seconds(8) && $0 < .seconds(2_000) }
        let failed = await diagnostics.next { $0.isStorageFailure }
        for _ in 1...3 {
            clock.advance(by: .seconds(3))
            await engine.storeBuffered()
        }
        #expect(await !report.isDrained)
        DiskFaults.set(nil, for: queue.url)
        let outcome = try await scene.finish(engine, transport)

        scene.expectAccounted(outcome, "reads failed for a while")
        #expect(failed != nil)
        #expect(outcome.lost == 0 && !outcome.isDecisionLost)
    }

    @Test func `events in a part of the disk that stays unreadable are counted, and the others arrive`()
        async throws
    {
        let scene = try await StoredScene(events: 2_000, isKilled: false)
        let queue = try scene.queue.copy()
        let middle = off_t(TemporaryQueue.size(queue.path) / 2 / 4096 * 4096)
        DiskFaults.set(.read(EIO, middle..<(middle + 4096)), for: queue.url)
        let clock = TestClock()
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: clock)

        try await StoredScene.open(engine, queue, transport)
        while !queue.files.contains(where: { $0.hasPrefix("corrupt-") }) {
            clock.advance(by: .seconds(61))
            await engine.storeBuffered()
            _ = await engine.flush(timeout: .zero)
        }
        // The new file has a page at the same offset.
        DiskFaults.set(nil, for: queue.url)
        let outcome = try await scene.finish(engine, transport)

        scene.expectAccounted(outcome, "an unreadable page")
        // Each of the unreadable pages belongs to one segment, of which each lane has 40.
        #expect((1...200).contains(outcome.lost))
    }

    @Test func `a file that ends early under a running engine loses the events behind its end, counted`()
        async throws
    {
        let scene = try await StoredScene(events: 2_000, isKilled: false)
        let damaged = try scene.queue.copy()
        let middle = off_t(TemporaryQueue.size(damaged.path) / 2 / 4096 * 4096)
        DiskFaults.set(.shortRead(from: middle), for: damaged.url)

        let outcome = try await scene.deliver(damaged)

        scene.expectAccounted(outcome, "half a file")
    }

    @Test func `a file that cannot be read at opening is opened later, and nothing is sent before`()
        async throws
    {
        let scene = try await StoredScene(events: 500, isKilled: false)
        let queue = try scene.queue.copy()
        DiskFaults.set(.read(EIO, Self.tables), for: queue.url)
        let clock = TestClock()
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: clock)
        var diagnostics = engine.diagnostics().makeAsyncIterator()

        try await StoredScene.open(engine, queue, transport)
        let failed = await diagnostics.next { $0.isStorageFailure }
        #expect(transport.requests.isEmpty)
        DiskFaults.set(nil, for: queue.url)
        await engine.storeBuffered()
        let opened = await diagnostics.next { if case .opened = $0 { true } else { false } }
        let outcome = try await scene.finish(engine, transport)

        #expect(failed != nil)
        #expect(opened == .opened(pending: 500))
        scene.expectAccounted(outcome, "unreadable at opening")
        #expect(outcome.lost == 0 && !outcome.isDecisionLost)
    }

    @Test func `a denial throws if the file cannot be read, and is applied when it can`() async throws {
        let scene = try await StoredScene(events: 100, isKilled: false)
        let queue = try scene.queue.copy()
        DiskFaults.set(.read(EIO, Self.tables), for: queue.url)
        let engine = DeliveryEngine(clock: TestClock())
        try await StoredScene.open(engine, queue, ScriptedTransport())

        let failure = try #require(await engine.statistics().first?.storageFailure)
        await #expect(throws: DecisionError.notStored(failure)) {
            try await engine.setConsent(.denied, for: .analytics)
        }
        DiskFaults.set(nil, for: queue.url)
        await engine.storeBuffered()

        let ledgers = await engine.statistics().map(\.ledger)
        #expect(ledgers.map(\.dropped) == [[.consentDenied: 50], [.consentDenied: 50]])
        await engine.waitUntilGone("stored", from: queue)
    }
}
