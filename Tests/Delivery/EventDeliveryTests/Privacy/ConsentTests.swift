import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import EventTracking
import Foundation
import HTTPTransport
import Locks
import Testing

@testable import EventDeliveryScenes

/// Tests of the user's decisions about purposes.
@Suite(.timeLimit(.minutes(5))) struct ConsentTests {
    private let analytics = LineDestination(lane: LaneID(product: "T", service: "analytics"))
    private let marketing = LineDestination(lane: LaneID(product: "T", service: "marketing"), purpose: .marketing)

    @Test func `undecided events of a purpose that the app has given up are dropped, and later ones are sent`()
        async throws
    {
        let queue = try TemporaryQueue()
        var configuration = GrantedEngine.configuration(queue.url)
        (configuration.consent, configuration.defaultConsent) = ([:], .unknown)
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(configuration)
        GrantedEngine.track("UNDECIDED", by: first)
        await first.close(timeout: .zero)
        let transport = ScriptedTransport()

        let second = DeliveryEngine(clock: TestClock())
        (configuration.destinations, configuration.transport) = ([LineDestination(purpose: .marketing)], transport)
        try await second.open(configuration)
        try await second.setConsent(.granted, for: .marketing)
        GrantedEngine.track("LATER", by: second)
        let report = await second.flush(timeout: .seconds(30))

        #expect(report.isDrained)
        #expect(transport.sentText.contains("LATER") && !transport.sentText.contains("UNDECIDED"))
        #expect(try #require(await second.statistics().first).ledger.dropped == [.consentDenied: 3])
        try await LedgerCheck.check(second)
        await second.close(timeout: .seconds(30))
    }

    @Test func `events of an undecided purpose are held, and a grant releases them with their times and order`()
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
        let held = await engine.flush(timeout: .seconds(1))
        let sentBefore = transport.requests.count
        try await engine.setConsent(.granted, for: .analytics)
        let released = await engine.flush(timeout: .seconds(1))

        #expect(held.lanes.first { $0.id == analytics.lane }?.outcome == .withoutConsent)
        #expect(sentBefore == 0)
        #expect(released.lanes.first { $0.id == analytics.lane }?.outcome == .drained)
        let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        let start = TestClock().wallTime().milliseconds
        #expect(body.matches(of: /"time":(\d+)/).map { Int64($0.1) } == [start, start + 1000, start + 2000])
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: 1...24)
    func `a grant in the middle of the opening starts the lane, and no event stays held`(reading: Int) async throws {
        let queue = try TemporaryQueue()
        let (clock, transport) = (InterruptingClock(), ScriptedTransport())
        let engine = DeliveryEngine(clock: clock)
        let lane = engine.lane(analytics.lane)
        for number in 1...3 { lane.track("held", parameters: ["number": .int(number)]) }

        let grant = clock.interrupt(atReading: reading) { decided in
            engine.buffer.decide(.granted, about: .analytics)
            decided()
            try await engine.setConsent(.granted, for: .analytics)
        }
        try await engine.open(configuration(queue.url, transport, default: .unknown))
        let isLate = clock.interruptNow()
        try await grant.value
        // No event is tracked before, which could start the lane as well.
        let granted = await engine.statistics().first { $0.id == analytics.lane }
        let released = await engine.flush(timeout: .seconds(1))
        lane.track("fresh", parameters: [:])
        let report = await engine.flush(timeout: .seconds(1))

        #expect(granted?.consent == .granted && granted?.eventsAwaitingConsent == 0)
        #expect([released, report].allSatisfy { $0.lanes.first { $0.id == analytics.lane }?.outcome == .drained })
        #expect(transport.requests.flatMap { $0.body.split(separator: UInt8(ascii: "\n")) }.count == 4)
        #expect(try queue.copy().rows().state?.installation == engine.identity.deviceID)
        #expect(!isLate || reading > 6, "the opening reads the clock more often")
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a denial leaves no byte of the purpose's events on disk, and keeps the events of other purposes`()
        async throws
    {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, transport))
        for number in 1...200 {
            engine.lane(analytics.lane).track("viewed", parameters: ["canary": "CANARY-A-\(number)"])
            engine.lane(marketing.lane).track("clicked", parameters: ["canary": "CANARY-M-\(number)"])
        }
        await engine.storeBuffered()
        #expect(try TemporaryQueue.contents(of: directory).contains("CANARY-A"))

        try await engine.setConsent(.denied, for: .analytics)

        #expect(try !TemporaryQueue.contents(of: directory).contains("CANARY-A"))
        #expect(try TemporaryQueue.contents(of: directory).contains("CANARY-M"))
        let lanes = await engine.statistics()
        #expect(lanes.first { $0.id == analytics.lane }?.ledger.dropped == [.consentDenied: 200])
        #expect(lanes.first { $0.id == marketing.lane }?.ledger.pending == 200)
        try await LedgerCheck.check(engine)
    }

    @Test
    func `a denial leaves no byte of large and quarantined events in any file, and the next start sends none`()
        async throws
    {
        let queue = try TemporaryQueue()
        let transport = ScriptedTransport { _, number in
            number == 1 ? .respond(HTTPResponse(status: 400)) : .fail(.connectionFailed(code: 111))
        }
        let engine = DeliveryEngine(clock: TestClock())
        // The first request has one event, which is quarantined. The second one is cut into a batch.
        engine.lane(analytics.lane).track("viewed", parameters: ["canary": "CANARY-first"])
        try await engine.open(configuration(queue.url, transport))
        await transport.requests(count: 1)
        for number in 1...4_000 {
            let text = ParameterValue.string("CANARY-\(number)-" + String(repeating: "x", count: number % 1_500))
            engine.lane(analytics.lane).track("viewed", parameters: ["canary": text])
            if number.isMultiple(of: 500) { await engine.storeBuffered() }
        }
        await transport.requests(count: 2)
        #expect(await engine.quarantine.events().count == 1)
        #expect(try queue.contents().contains("CANARY-first") && queue.contents().contains("CANARY-4000"))

        try await engine.setConsent(.denied, for: .analytics)

        #expect(try !queue.contents().contains("CANARY"))
        #expect(queue.files.contains("queue.db"))
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
        let later = ScriptedTransport()
        let next = DeliveryEngine(clock: TestClock())
        try await next.open(configuration(queue.url, later))
        next.lane(analytics.lane).track("viewed", parameters: [:])
        _ = await next.flush(timeout: .seconds(1))
        #expect(later.requests.isEmpty)
        #expect(await next.statistics().first { $0.id == analytics.lane }?.consent == .denied)
        #expect(try !queue.contents().contains("CANARY"))
        await next.close(timeout: .zero)
    }

    @Test func `a denial during an upload cancels it, and no request starts afterwards`() async throws {
        let transport = ScriptedTransport { _, _ in .hang }
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(nil, transport))
        engine.lane(analytics.lane).track("viewed", parameters: [:])
        await transport.requests(count: 1)

        try await engine.setConsent(.denied, for: .analytics)
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        engine.lane(analytics.lane).track("viewed", parameters: [:])
        _ = await engine.flush(timeout: .seconds(1))

        #expect(transport.requests.count == 1)
        let ledger = await engine.statistics().first { $0.id == analytics.lane }?.ledger
        #expect(ledger?.dropped == [.consentDenied: 2])
        try await LedgerCheck.check(engine)
    }

    @Test func `a denial during a back-off ends the retries`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 503)) }
        let engine = DeliveryEngine(clock: clock)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(configuration(nil, transport))
        engine.lane(analytics.lane).track("viewed", parameters: [:])
        let wait = try #require(await diagnostics.nextRetry())

        try await engine.setConsent(.denied, for: .analytics)
        clock.advance(by: wait)
        _ = await engine.flush(timeout: .seconds(1))

        #expect(transport.requests.count == 1)
        try await LedgerCheck.check(engine)
    }

    @Test func `a denial deletes the quarantined events of its purpose`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 400)) }
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, transport))
        engine.lane(analytics.lane).track("viewed", parameters: ["canary": "CANARY-Q"])
        _ = await engine.flush(timeout: .seconds(1))
        #expect(await engine.quarantine.events().count == 1)

        try await engine.setConsent(.denied, for: .analytics)

        #expect(await engine.quarantine.events().isEmpty)
        #expect(try !TemporaryQueue.contents(of: directory).contains("CANARY-Q"))
        try await LedgerCheck.check(engine)
    }

    @Test func `an event between a denial and a grant before the opening is dropped`() async throws {
        let (engine, transport) = (DeliveryEngine(clock: TestClock()), ScriptedTransport())
        try? await engine.setConsent(.denied, for: .analytics)
        engine.lane(analytics.lane).track("denied", parameters: ["n": 1])
        try? await engine.setConsent(.granted, for: .analytics)
        engine.lane(analytics.lane).track("granted", parameters: ["n": 2])

        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [analytics], transport: transport)
        )
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(transport.requests.flatMap(\.numbers) == [2])
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 1]])
        try await LedgerCheck.check(engine)
    }

    @Test func `a denial before the opening throws, and is in effect when the engine opens`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        engine.lane(analytics.lane).track("early", parameters: [:])

        await #expect(throws: DecisionError.notStored(.notOpen)) {
            try await engine.setConsent(.denied, for: .analytics)
        }
        try await engine.open(configuration(nil, transport))
        _ = await engine.flush(timeout: .seconds(1))

        #expect(transport.requests.isEmpty)
        #expect(await engine.statistics().first { $0.id == analytics.lane }?.ledger.dropped == [.consentDenied: 1])
        try await LedgerCheck.check(engine)
    }

    @Test func `an opening whose configuration denies deletes the events of an earlier run`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(configuration(directory, transport))
        first.lane(analytics.lane).track("viewed", parameters: ["canary": "CANARY-L"])
        await first.close(timeout: .zero)

        let sent = transport.requests.count
        let second = DeliveryEngine(clock: TestClock())
        try await second.open(configuration(directory, transport, default: .denied))

        while try TemporaryQueue.contents(of: directory).contains("CANARY-L") { await Task.yield() }
        #expect(transport.requests.count == sent)
        #expect(await second.statistics().first { $0.id == analytics.lane }?.ledger.dropped == [.consentDenied: 1])
        try await LedgerCheck.check(second)
    }

    @Test func `more than the budget of held events is dropped and counted`() async throws {
        var configuration = configuration(nil, ScriptedTransport(), default: .unknown)
        configuration.budget.eventsAwaitingConsent = 10
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration)

        for _ in 1...15 { engine.lane(analytics.lane).track("viewed", parameters: [:]) }
        await engine.storeBuffered()

        let ledger = await engine.statistics().first { $0.id == analytics.lane }?.ledger
        #expect(ledger?.pending == 10)
        #expect(ledger?.dropped == [.consentBudget: 5])
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
        _ = await engine.flush(timeout: .seconds(1))

        #expect(await engine.statistics().first { $0.id == analytics.lane }?.ledger.accepted == 3200)
        try await LedgerCheck.check(engine)
    }

    @Test func `of concurrent decisions about one purpose none throws, and the one in effect is stored`() async throws {
        let queue = try TemporaryQueue()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(queue.url, ScriptedTransport()))

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...8 {
                group.addTask {
                    for number in 1...50 {
                        try await engine.setConsent(Consent.allCases[number % 3], for: .analytics)
                    }
                }
            }
            try await group.waitForAll()
        }
        let inEffect = await engine.statistics().first { $0.id == analytics.lane }?.consent
        await engine.close(timeout: .zero)

        let state = try #require(try queue.rows().state)
        let stored = state.decisions[ConsentPurpose.analytics.name]
        #expect(stored?.consent == inEffect)
        #expect(stored.map { $0.denial > 0 && $0.denial <= state.number } == true)
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

/// A stopped clock that lets a task run in the middle of a reading.
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

    /// Begins a task at a reading from now on.
    ///
    /// The reader continues when the task calls its closure.
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

    /// Begins the task if no reading has begun it.
    ///
    /// Returns whether it did.
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
