import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import HTTPTransport
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes

/// Tests of a store whose disk is full for a while.
@Suite(.timeLimit(.minutes(5))) struct StorageStateTests {
    private let queue: TemporaryQueue
    private let clock = TestClock()
    private let buffer: EventBuffer
    private let store: DeliveryStore
    private let runnable: DeliveryStore.RunnableLane

    init() async throws {
        queue = try TemporaryQueue()
        DiskFaults.prepare()
        let limits = BatchLimits(events: 8, bodyBytes: 10_000)
        buffer = EventBuffer(clock: clock, eventTime: nil, capacity: 100)
        store = DeliveryStore(
            buffer: buffer,
            configuration: DeliveryConfiguration(
                directory: queue.url,
                destinations: [LineDestination(limits: limits)],
                transport: ScriptedTransport()
            )
        )
        runnable = await store.start()[0]
    }

    @Test func `while the disk is full, delivered events are not sent again and a bisected batch stays complete`()
        async throws
    {
        track(1...12)
        await store.storeAll(barrier: true)
        fillDisk()

        var sent: [[Int]] = []
        while let lease = await store.lease(lane: 0) {
            sent.append(lease.numbers)
            await store.finish(lease, lease.numbers.contains(6) ? .refused : .delivered)
            try await checkLedger()
        }
        freeDisk()
        await store.storeAll(barrier: true)

        #expect(sent == [Array(1...8), [1, 2, 3, 4], [5, 6, 7, 8], [5, 6], [5], [6], [7, 8], [9, 10, 11, 12]])
        #expect(await store.quarantined(lane: nil).count == 1)
        #expect(await store.lease(lane: 0) == nil)
        #expect(await store.statistics().map(\.ledger.delivered) == [11])
        try await checkLedger()
    }

    @Test func `only the events to retry of a partly accepted batch are sent again on a full disk`() async throws {
        track(1...8)
        await store.storeAll(barrier: true)
        fillDisk()

        let first = try #require(await store.lease(lane: 0))
        await store.finish(first, .partial([2: .retry, 5: .retry]))
        clock.advance(by: .seconds(1))
        let second = try #require(await store.lease(lane: 0))
        await store.finish(second, .delivered)
        freeDisk()
        await store.storeAll(barrier: true)

        #expect(second.numbers == [3, 6])
        #expect(await store.lease(lane: 0) == nil)
        try await checkLedger()
    }

    @Test func `events that are tracked on a full disk do not count as delivered, and are sent from memory`()
        async throws
    {
        fillDisk()
        track(1...3)
        await store.storeAll(barrier: false)

        let flush = Flush(Deadline(clock.monotonicTime()))
        await store.begin(flush)
        let report = FlushReporter(buffer: buffer).report(flush)
        let lease = try #require(await store.lease(lane: 0))
        await store.finish(lease, .delivered)

        #expect(report.lanes.map(\.outcome) == [.timedOut])
        #expect(lease.numbers == [1, 2, 3])
        try await checkLedger()
    }

    @Test func `an event of the quarantine can be retried when the disk is no longer full`() async throws {
        track(1...1)
        await store.storeAll(barrier: true)
        let lease = try #require(await store.lease(lane: 0))
        fillDisk()
        await store.finish(lease, .refused)
        let ids = Set(await store.quarantined(lane: nil).map(\.id))

        let refused = await store.retryQuarantined(ids)
        try await checkLedger()
        let none = await store.lease(lane: 0)
        freeDisk()
        await store.storeAll(barrier: true)
        let retried = await store.retryQuarantined(ids)
        let again = try #require(await store.lease(lane: 0))

        #expect(refused == 0 && none == nil)
        #expect(retried == 1)
        #expect(again.numbers == [1])
        #expect(await store.quarantined(lane: nil).isEmpty)
        try await checkLedger()
    }

    @Test func `lanes that wait for the disk are woken when it has room again`() async throws {
        let wake = runnable.wake
        fillDisk()
        track(1...1)
        await store.storeAll(barrier: true)

        #expect(await store.lease(lane: 0)?.numbers == [1])
        // The signal for the event itself.
        await wake.wait()
        freeDisk()
        await store.storeAll(barrier: true)
        await wake.wait()

        try await checkLedger()
    }

    @Test func `a call that stores a refused decision also stores the events, if the disk has room again`() async throws
    {
        fillDisk()
        buffer.decide(.denied, about: .marketing)
        track(1...1)
        await store.storeAll(barrier: true)
        let refused = await store.statistics().compactMap(\.storageFailure)
        freeDisk()

        await store.storeAll(barrier: true)

        #expect(refused == [.full])
        #expect(await store.statistics().allSatisfy { $0.storageFailure == nil })
        try await checkLedger()
    }

    private func fillDisk() { DiskFaults.set(.write(ENOSPC), for: queue.url) }

    private func freeDisk() { DiskFaults.set(nil, for: queue.url) }

    private func track(_ numbers: ClosedRange<Int>) {
        for number in numbers {
            buffer.lane(LineDestination().lane).track("viewed", parameters: ["n": .int(number)])
        }
    }

    private func checkLedger() async throws {
        let found = try #require(await store.storedEvents().first).value
        #expect(found.ledger.pending == found.pending)
        #expect(found.ledger.quarantined == found.quarantined)
    }
}

extension DeliveryStore {
    /// Returns the next batch of a lane, or `nil` if the lane must wait.
    fileprivate func lease(lane: Int) -> Lease? {
        while true {
            switch chooseStep(lane: lane) {
            case .send(let lease): return lease
            case .wait: return nil
            case .again: break
            }
        }
    }

    fileprivate func finish(_ lease: Lease, _ result: BatchResult) {
        let attempt = Attempt.responded(HTTPResponse(status: 200))
        _ = complete(lease, RequestOutcome(result: result, attempt: attempt, bodyBytes: 100), lane: 0)
    }
}

extension BatchResult {
    fileprivate static let refused = BatchResult.refused("status 400")
}

extension Lease {
    fileprivate var numbers: [Int] {
        batch.events.compactMap { event in
            String(decoding: event.fragment, as: UTF8.self).firstMatch(of: /"n":(\d+)/).flatMap { Int($0.1) }
        }
    }
}
