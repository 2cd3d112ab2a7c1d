import CoreTracker
import Dispatch
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Locks
import Testing

@testable import EventDeliveryScenes

/// Tests of several decisions about one purpose, of which the last one is in effect.
@Suite(.timeLimit(.minutes(5))) struct DecisionOrderTests {
    private let destination = LineDestination()

    @Test func `a denial is never overtaken by a grant that began before it`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine()
        try await engine.open(configuration(nil, transport))
        let lane = engine.lane(destination.lane)
        var random = SeededGenerator(seed: 2026)

        for round in 1...DecisionOrderTests.rounds {
            lane.track("before", parameters: ["n": .int(round)])
            let grant = Task { try await engine.setConsent(.granted, for: .analytics) }
            while engine.buffer.consents[.analytics] != .granted { await Task.yield() }
            lane.track("between", parameters: ["n": .int(round)])
            for _ in 0..<Int.random(in: 0...40, using: &random) { await Task.yield() }
            try await engine.setConsent(.denied, for: .analytics)
            let sent = transport.requests.count
            try await grant.value
            lane.track("after", parameters: ["n": .int(round)])

            #expect(lane.isConsentDenied)
            #expect(transport.requests.count == sent)
        }

        let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies.allSatisfy { !$0.contains("after") })
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.pending == 0)
        #expect(ledger.accepted == ledger.delivered + ledger.droppedTotal)
        await engine.close(timeout: .seconds(1))
    }

    /// The number of rounds, which the variable `CONSENT_ROUNDS` changes.
    private static let rounds = ProcessInfo.processInfo.environment["CONSENT_ROUNDS"].flatMap { Int($0) } ?? 1_000

    @Test func `a denial before the opening deletes every byte of the events of an earlier run`() async throws {
        let queue = try TemporaryQueue()
        try await leave("CANARY-EARLIER", in: queue.url)
        #expect(try queue.contents().contains("CANARY-EARLIER"))
        let engine = DeliveryEngine(clock: TestClock())

        await #expect(throws: DecisionError.notStored(.notOpen)) {
            try await engine.setConsent(.denied, for: .analytics)
        }
        try await engine.open(configuration(queue.url, ScriptedTransport()))
        // The call is repeated as its error asks for, and returns after the deletion.
        try await engine.setConsent(.denied, for: .analytics)

        #expect(try !queue.contents().contains("CANARY-EARLIER"))
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 1]])
        await engine.close(timeout: .zero)
    }

    @Test(arguments: Consent.allCases, Consent.allCases)
    func `the last of two decisions is in effect at the next start, regardless of the default`(
        first: Consent,
        last: Consent
    ) async throws {
        let queue = try TemporaryQueue()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(queue.url, ScriptedTransport()))
        for decision in [first, last] { try await engine.setConsent(decision, for: .analytics) }
        await engine.close(timeout: .zero)

        for defaultConsent in Consent.allCases {
            let next = DeliveryEngine(clock: TestClock())
            var configuration = configuration(queue.url, ScriptedTransport())
            configuration.defaultConsent = defaultConsent
            try await next.open(configuration)

            #expect(await next.statistics().map(\.consent) == [last])
            await next.close(timeout: .zero)
        }
    }

    @Test func `a denial in the configuration beats a stored grant, even in later runs without it`() async throws {
        let queue = try TemporaryQueue()
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(configuration(queue.url, ScriptedTransport()))
        try await first.setConsent(.granted, for: .analytics)
        await first.close(timeout: .zero)

        let second = DeliveryEngine(clock: TestClock())
        var denying = configuration(queue.url, ScriptedTransport())
        denying.consent = [.analytics: .denied]
        try await second.open(denying)
        #expect(second.lane(destination.lane).isConsentDenied)
        await second.close(timeout: .zero)
        let third = DeliveryEngine(clock: TestClock())
        try await third.open(configuration(queue.url, ScriptedTransport()))

        #expect(third.lane(destination.lane).isConsentDenied)
        await third.close(timeout: .zero)
    }

    @Test func `a grant after the opening beats a denial in the configuration, even after a suspension`() async throws {
        let queue = try TemporaryQueue()
        let engine = DeliveryEngine(clock: TestClock())
        var denying = configuration(queue.url, ScriptedTransport())
        denying.consent = [.analytics: .denied]
        try await engine.open(denying)
        try await engine.setConsent(.granted, for: .analytics)

        await engine.suspendStorage()
        await engine.resumeStorage()

        #expect(await engine.statistics().map(\.consent) == [.granted])
        await engine.close(timeout: .zero)
    }

    @Test func `a denial in the configuration is in effect although the disk refuses it, and is stored later`()
        async throws
    {
        let queue = try TemporaryQueue()
        try await leave("CANARY", in: queue.url)
        let (transport, clock) = (ScriptedTransport(), TestClock())
        let denied = DeliveryEngine(clock: clock)
        var denying = configuration(queue.url, transport)
        denying.consent = [.analytics: .denied]
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        try await denied.open(denying)
        _ = await denied.flush(timeout: .zero)

        #expect(denied.lane(destination.lane).isConsentDenied)
        #expect(transport.requests.isEmpty)
        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(61))
        await denied.waitUntilGone("CANARY", from: queue)
        await denied.close(timeout: .zero)
        let next = DeliveryEngine(clock: TestClock())
        try await next.open(configuration(queue.url, transport))
        #expect(await next.statistics().map(\.consent) == [.denied])
        #expect(transport.requests.isEmpty)
        await next.close(timeout: .zero)
    }

    @Test func `events of a granted purpose wait while it is unknown again, and a grant releases all`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(nil, transport))
        engine.lane(destination.lane).track("granted", parameters: ["n": 1])
        try await engine.setConsent(.unknown, for: .analytics)
        engine.lane(destination.lane).track("unknown", parameters: ["n": 2])

        let waiting = await engine.flush(timeout: .seconds(5))

        #expect(waiting.lanes.map(\.outcome) == [.withoutConsent])
        #expect(waiting.lanes.map(\.pending) == [2])
        #expect(transport.requests.isEmpty)
        try await engine.setConsent(.granted, for: .analytics)
        #expect(await engine.flush(timeout: .seconds(5)).isDrained)
        #expect(transport.requests.flatMap(\.numbers) == [1, 2])
        try await LedgerCheck.check(engine)
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: [true, false], 1...40)
    func `no request begins after a decision, whatever the engine does at that moment`(
        isErasure: Bool,
        step: Int
    ) async throws {
        let transport = ScriptedTransport()
        let buffer = Mutex<EventBuffer?>(nil)
        let sent = Mutex<Int?>(nil)
        var runtime = EngineRuntime.system
        runtime.tasks = InterruptedExecutor(before: step) {
            sent.withLock { $0 = transport.requests.count }
            guard let buffer = buffer.withLock(\.self) else { return }
            if isErasure { _ = buffer.erase(nil) } else { buffer.decide(.denied, about: .analytics) }
        }
        let engine = DeliveryEngine(runtime: runtime, clock: TestClock())
        buffer.withLock { $0 = engine.buffer }
        engine.lane(destination.lane).track("viewed", parameters: [:])
        var configuration = configuration(nil, transport)
        configuration.consent = [.analytics: .granted]

        try await engine.open(configuration)
        _ = await engine.flush(timeout: .seconds(5))
        _ = await engine.statistics()

        #expect(transport.requests.count == sent.withLock(\.self) ?? 1)
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    private func leave(_ canary: String, in directory: URL) async throws {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, ScriptedTransport { _, _ in .fail(.timedOut) }))
        engine.lane(destination.lane).track("viewed", parameters: ["canary": .string(canary)])
        await engine.close(timeout: .zero)
    }

    private func configuration(_ directory: URL?, _ transport: ScriptedTransport) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: directory, destinations: [destination], transport: transport)
    }
}

/// An executor of an engine's tasks that makes one interruption before it runs a job.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
private final class InterruptedExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "DecisionOrderTests")
    private let jobsLeft: Mutex<Int>
    private let interruption: @Sendable () -> Void

    /// Creates an executor.
    ///
    /// - Parameters:
    ///   - job: The number of the job before which it makes the interruption, from 1.
    ///   - interruption: The interruption.
    init(before job: Int, _ interruption: @escaping @Sendable () -> Void) {
        jobsLeft = Mutex(job)
        self.interruption = interruption
    }

    func enqueue(_ job: UnownedJob) {
        queue.async {
            let left = self.jobsLeft.withLock { left in
                left -= 1
                return left
            }
            if left == 0 { self.interruption() }
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
