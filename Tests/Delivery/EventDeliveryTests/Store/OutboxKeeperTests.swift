import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery

@Suite struct OutboxKeeperTests {
    private let disk = FillableOutbox.Disk()
    private let clock = TestClock()
    private let buffer: EventBuffer
    private let store: DeliveryStore
    private let runnable: DeliveryStore.RunnableLane

    init() async {
        let limits = BatchLimits(events: 8, bodyBytes: 10_000)
        buffer = EventBuffer(clock: clock, eventTime: nil, capacity: 100)
        store = DeliveryStore(
            buffer: buffer,
            diagnostics: DiagnosticStream(),
            configuration: DeliveryConfiguration(
                directory: nil,
                destinations: [LineDestination(limits: limits)],
                transport: ScriptedTransport()
            )
        )
        runnable = await store.start()[0]
        await store.use { [disk] _ in FillableOutbox(disk: disk) }
    }

    @Test func `F13 while the disk is full, what has arrived is not sent again and what is bisected stays whole`()
        async throws
    {
        track(1...12)
        await store.persistAll(barrier: true)
        disk.isFull = true

        var sent: [[Int]] = []
        while let lease = await store.lease(lane: 0) {
            sent.append(lease.numbers)
            await store.settle(lease, lease.numbers.contains(6) ? .refused : .delivered)
            try await checkBooks()
        }
        disk.isFull = false
        await store.persistAll(barrier: true)

        #expect(sent == [Array(1...8), [1, 2, 3, 4], [5, 6, 7, 8], [5, 6], [5], [6], [7, 8], [9, 10, 11, 12]])
        #expect(await store.quarantined(lane: nil).count == 1)
        #expect(await store.lease(lane: 0) == nil)
        #expect(await store.statistics().map(\.ledger.delivered) == [11])
        try await checkBooks()
    }

    @Test func `F13 what is taken in part on a full disk is sent again in that part only`() async throws {
        track(1...8)
        await store.persistAll(barrier: true)
        disk.isFull = true

        let first = try #require(await store.lease(lane: 0))
        await store.settle(first, .partial([2: .retry, 5: .retry]))
        clock.advance(by: .seconds(1))
        let second = try #require(await store.lease(lane: 0))
        await store.settle(second, .delivered)
        disk.isFull = false
        await store.persistAll(barrier: true)

        #expect(second.numbers == [3, 6])
        #expect(await store.lease(lane: 0) == nil)
        try await checkBooks()
    }

    @Test func `F11 what is tracked on a full disk is not called delivered, and leaves from memory`() async throws {
        disk.isFull = true
        track(1...3)
        await store.persistAll(barrier: false)

        let ticket = FlushTicket(deadline: clock.monotonicTime())
        await store.begin(ticket)
        let report = FlushReporter(buffer: buffer).report(ticket)
        let lease = try #require(await store.lease(lane: 0))
        await store.settle(lease, .delivered)

        #expect(report.lanes.map(\.outcome) == [.deadlinePassed])
        #expect(lease.numbers == [1, 2, 3])
        try await checkBooks()
    }

    @Test func `F13 a retry from quarantine leaves from memory while the disk is full`() async throws {
        track(1...1)
        await store.persistAll(barrier: true)
        let lease = try #require(await store.lease(lane: 0))
        disk.isFull = true
        await store.settle(lease, .refused)
        let ids = Set(await store.quarantined(lane: nil).map(\.id))

        let retried = await store.retryQuarantined(ids)
        try await checkBooks()
        let again = try #require(await store.lease(lane: 0))
        disk.isFull = false
        await store.persistAll(barrier: true)

        #expect(retried == 1)
        #expect(again.numbers == [1])
        #expect(await store.quarantined(lane: nil).isEmpty)
        try await checkBooks()
    }

    @Test(.timeLimit(.minutes(5)))
    func `F11 lanes that had to stop for the disk are woken when there is room again`() async throws {
        let wake = runnable.wake
        disk.isFull = true
        track(1...1)
        await store.persistAll(barrier: true)

        #expect(await store.lease(lane: 0)?.numbers == [1])
        // The signal of the event itself.
        await wake.wait()
        disk.isFull = false
        await store.persistAll(barrier: true)
        await wake.wait()

        try await checkBooks()
    }

    private func track(_ numbers: ClosedRange<Int>) {
        for number in numbers {
            buffer.lane(LineDestination().lane).track("viewed", parameters: ["n": .int(number)])
        }
    }

    private func checkBooks() async throws {
        let found = try #require(await store.storedEvents().first).value
        #expect(found.ledger.pending == found.pending)
        #expect(found.ledger.quarantined == found.quarantined)
    }
}

extension DeliveryStore {
    /// The next batch of a lane; `nil` when it has to wait.
    fileprivate func lease(lane: Int) -> Lease? {
        while true {
            switch nextStep(lane: lane) {
            case .send(let lease): return lease
            case .wait: return nil
            case .again: break
            }
        }
    }

    fileprivate func settle(_ lease: Lease, _ result: BatchResult) {
        let attempt = Attempt.responded(HTTPResponse(status: 200))
        _ = complete(lease, Settlement(result: result, attempt: attempt, bodyBytes: 100), lane: 0)
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
