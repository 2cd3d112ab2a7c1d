import CoreTracker
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@testable import EventDelivery

@Suite struct ConsentTests {
    private let analytics = LineDestination(lane: LaneID(product: "T", service: "analytics"))
    private let marketing = LineDestination(lane: LaneID(product: "T", service: "marketing"), purpose: .marketing)

    @Test func `events of an unknown consent are held, and a grant releases them with their times and order`()
        async throws
    {
        let clock = TestClock()
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: clock)
        try await engine.open(configuration(nil, transport, default: .unknown))
        let lane = engine.lane(analytics.lane)

        for number in 1...3 {
            lane.track("viewed", parameters: ["number": .int(number)])
            clock.advance(by: .seconds(1))
        }
        let held = await engine.flush(deadline: .seconds(1))
        let sentBefore = transport.requests.count
        try await engine.setConsent(.granted, for: .analytics)
        let released = await engine.flush(deadline: .seconds(1))

        #expect(held.lanes.first { $0.id == analytics.lane }?.outcome == .withoutConsent)
        #expect(sentBefore == 0)
        #expect(released.lanes.first { $0.id == analytics.lane }?.outcome == .drained)
        let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        let start = TestClock().wallTime().milliseconds
        #expect(body.matches(of: /"time":(\d+)/).map { Int64($0.1) } == [start, start + 1000, start + 2000])
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: 1...24)
    func `a grant in the middle of the opening starts the lane, and nothing stays held`(reading: Int) async throws {
        let queue = try TemporaryQueue()
        let (clock, transport) = (InterruptingClock(), ScriptedTransport())
        let engine = DeliveryEngine(clock: clock)
        let lane = engine.lane(analytics.lane)
        for number in 1...3 { lane.track("held", parameters: ["number": .int(number)]) }

        let grant = clock.interrupt(atReading: reading) { said in
            engine.buffer.say(.granted, about: .analytics)
            said()
            try await engine.setConsent(.granted, for: .analytics)
        }
        try await engine.open(configuration(queue.url, transport, default: .unknown))
        let isLate = clock.interruptNow()
        try await grant.value
        // Nothing is tracked yet that could make up for what was missed.
        let granted = await engine.statistics().first { $0.id == analytics.lane }
        let released = await engine.flush(deadline: .seconds(1))
        lane.track("fresh", parameters: [:])
        let report = await engine.flush(deadline: .seconds(1))

        #expect(granted?.consent == .granted && granted?.heldEvents == 0)
        #expect([released, report].allSatisfy { $0.lanes.first { $0.id == analytics.lane }?.outcome == .drained })
        #expect(transport.requests.flatMap { $0.body.split(separator: UInt8(ascii: "\n")) }.count == 4)
        #expect(queue.files.contains("device-id"))
        #expect(!isLate || reading > 6, "the opening reads the clock more often")
        try await LedgerCheck.check(engine)
        await engine.close(deadline: .zero)
    }

    @Test func `F53 a denial leaves no byte of the purpose on disk, and other purposes alone`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, transport))
        for number in 1...200 {
            engine.lane(analytics.lane).track("viewed", parameters: ["canary": "CANARY-A-\(number)"])
            engine.lane(marketing.lane).track("clicked", parameters: ["canary": "CANARY-M-\(number)"])
        }
        await engine.persist()
        #expect(try TemporaryQueue.contents(of: directory).contains("CANARY-A"))

        try await engine.setConsent(.denied, for: .analytics)

        #expect(try !TemporaryQueue.contents(of: directory).contains("CANARY-A"))
        #expect(try TemporaryQueue.contents(of: directory).contains("CANARY-M"))
        let lanes = await engine.statistics()
        #expect(lanes.first { $0.id == analytics.lane }?.ledger.dropped == [.consentDenied: 200])
        #expect(lanes.first { $0.id == marketing.lane }?.ledger.pending == 200)
        try await LedgerCheck.check(engine)
    }

    @Test func `F53 a denial during an upload cancels it, and no request starts afterwards`() async throws {
        let transport = ScriptedTransport { _, _ in .hang }
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(nil, transport))
        engine.lane(analytics.lane).track("viewed", parameters: [:])
        await transport.requests(count: 1)

        try await engine.setConsent(.denied, for: .analytics)
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        engine.lane(analytics.lane).track("viewed", parameters: [:])
        _ = await engine.flush(deadline: .seconds(1))

        #expect(transport.requests.count == 1)
        let ledger = await engine.statistics().first { $0.id == analytics.lane }?.ledger
        #expect(ledger?.dropped == [.consentDenied: 2])
        try await LedgerCheck.check(engine)
    }

    @Test func `F53 a denial during a back-off ends the retries`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 503)) }
        let engine = DeliveryEngine(clock: clock)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(configuration(nil, transport))
        engine.lane(analytics.lane).track("viewed", parameters: [:])
        let wait = try #require(await diagnostics.nextRetry())

        try await engine.setConsent(.denied, for: .analytics)
        clock.advance(by: wait)
        _ = await engine.flush(deadline: .seconds(1))

        #expect(transport.requests.count == 1)
        try await LedgerCheck.check(engine)
    }

    @Test func `F53 a denial empties the quarantine of its purpose`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 400)) }
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, transport))
        engine.lane(analytics.lane).track("viewed", parameters: ["canary": "CANARY-Q"])
        _ = await engine.flush(deadline: .seconds(1))
        #expect(await engine.quarantined().count == 1)

        try await engine.setConsent(.denied, for: .analytics)

        #expect(await engine.quarantined().isEmpty)
        #expect(try !TemporaryQueue.contents(of: directory).contains("CANARY-Q"))
        try await LedgerCheck.check(engine)
    }

    @Test func `a word that is given before the opening holds from the opening on`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        engine.lane(analytics.lane).track("early", parameters: [:])

        await #expect(throws: OutboxError.notStored(.notOpen)) {
            try await engine.setConsent(.denied, for: .analytics)
        }
        try await engine.open(configuration(nil, transport))
        _ = await engine.flush(deadline: .seconds(1))

        #expect(transport.requests.isEmpty)
        #expect(await engine.statistics().first { $0.id == analytics.lane }?.ledger.dropped == [.consentDenied: 1])
        try await LedgerCheck.check(engine)
    }

    @Test func `an opening without consent purges what an earlier run has left`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(configuration(directory, transport))
        first.lane(analytics.lane).track("viewed", parameters: ["canary": "CANARY-L"])
        await first.close(deadline: .zero)

        let second = DeliveryEngine(clock: TestClock())
        try await second.open(configuration(directory, transport, default: .denied))

        #expect(try !TemporaryQueue.contents(of: directory).contains("CANARY-L"))
        try await LedgerCheck.check(second)
    }

    @Test func `more than the budget of held events is dropped and counted`() async throws {
        var configuration = configuration(nil, ScriptedTransport(), default: .unknown)
        configuration.budget.heldEvents = 10
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration)

        for _ in 1...15 { engine.lane(analytics.lane).track("viewed", parameters: [:]) }
        await engine.persist()

        let ledger = await engine.statistics().first { $0.id == analytics.lane }?.ledger
        #expect(ledger?.pending == 10)
        #expect(ledger?.dropped == [.heldBudget: 5])
        try await LedgerCheck.check(engine)
    }

    @Test func `threads that track while consent changes lose nothing uncounted`() async throws {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 100_000)
        try await engine.open(configuration(nil, ScriptedTransport()))
        let lane = engine.lane(analytics.lane)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...16 {
                group.addTask { for _ in 1...200 { lane.track("viewed", parameters: [:]) } }
            }
            group.addTask {
                for consent in [Consent.denied, .unknown, .granted, .denied, .granted] {
                    try await engine.setConsent(consent, for: .analytics)
                }
            }
            try await group.waitForAll()
        }
        _ = await engine.flush(deadline: .seconds(1))

        #expect(await engine.statistics().first { $0.id == analytics.lane }?.ledger.accepted == 3200)
        try await LedgerCheck.check(engine)
    }

    private func configuration(
        _ directory: URL?,
        _ transport: ScriptedTransport,
        default consent: Consent = .granted
    ) -> DeliveryConfiguration {
        DeliveryConfiguration(
            directory: directory,
            destinations: [analytics, marketing],
            transport: transport,
            defaultConsent: consent
        )
    }
}

/// A clock that stands still, and at one of its readings lets something else come in between.
private final class InterruptingClock: DeliveryClock {
    private struct Interruption {
        let reading: Int
        let begin: @Sendable () -> Void
        let wait: @Sendable () -> Void
    }

    private let clock = TestClock()
    private let readings = Atomic(0)
    private let interruption = Mutex<Interruption?>(nil)

    var bootID: String { clock.bootID }

    func wallTime() -> Timestamp {
        record()
        return clock.wallTime()
    }

    func monotonicTime() -> MonotonicInstant {
        record()
        return clock.monotonicTime()
    }

    func sleep(until instant: MonotonicInstant) async throws {
        try await clock.sleep(until: instant)
    }

    /// Begins a task at a reading from now on; whoever reads goes on once the task has called what it is given.
    func interrupt(
        atReading number: Int,
        _ body: @escaping @Sendable (@Sendable () -> Void) async throws -> Void
    ) -> Task<Void, any Error> {
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let semaphore = DispatchSemaphore(value: 0)
        let reading = readings.load(ordering: .relaxed) + number
        interruption.withLock {
            $0 = Interruption(reading: reading, begin: { begun.finish() }, wait: { semaphore.wait() })
        }
        return Task {
            for await _ in begins {}
            try await body { semaphore.signal() }
        }
    }

    /// Lets the task begin that no reading has let; returns whether there was one.
    func interruptNow() -> Bool {
        let due = take { _ in true }
        due?.begin()
        return due != nil
    }

    private func record() {
        let number = readings.wrappingAdd(1, ordering: .relaxed).newValue
        guard let due = take(where: { $0.reading <= number }) else { return }
        due.begin()
        due.wait()
    }

    private func take(where isDue: (Interruption) -> Bool) -> Interruption? {
        interruption.withLock { interruption in
            guard let due = interruption, isDue(due) else { return nil }
            interruption = nil
            return due
        }
    }
}
