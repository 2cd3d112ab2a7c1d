import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(5))) struct LaneRunnerTests {
    @Test func `a batch whose response is lost is sent again unchanged, and again after a restart`() async throws {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = LaneHarness(directory: directory) { _, _ in .fail(.connectionFailed(code: 104)) }
        first.track(1...20)
        var diagnostics = first.engine.diagnostics().makeAsyncIterator()
        try await first.open()
        first.track(21...21)
        first.clock.advance(by: try #require(await diagnostics.nextRetry()))
        _ = await diagnostics.nextRetry()
        await first.engine.close(timeout: .zero)

        let second = LaneHarness(directory: directory)
        try await second.open()
        second.track(22...22)
        let report = await second.flush(after: .seconds(600))

        #expect(report.isDrained)
        #expect(first.transport.requests.count >= 2)
        #expect(Set(first.transport.requests + second.transport.requests.prefix(1)).count == 1)
        #expect(Set(second.transport.requests.flatMap(\.eventIDs)).count == 22)
        #expect(await second.ledger.delivered == 22)
        try await LedgerCheck.check(second.engine)
    }

    @Test func `a lane waits as long as the receiver asks, through flushes too`() async throws {
        let harness = LaneHarness { _, number in
            number == 1 ? .respond(HTTPResponse(status: 429, headers: ["Retry-After": "50"])) : .status(200)
        }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        let wait = try #require(await diagnostics.nextRetry())

        let early = await harness.engine.flush(timeout: .seconds(40))
        harness.clock.advance(by: wait)
        let late = await harness.engine.flush(timeout: .seconds(40))

        #expect(wait >= .seconds(50) && wait <= .seconds(55))
        #expect(early.lanes.map(\.outcome) == [.waiting])
        #expect(late.isDrained)
        #expect(harness.transport.requests.count == 2)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `a Retry-After date in a response without a date is measured from its arrival`() async throws {
        let clock = TestClock()
        let asked = clock.wallTime().advanced(bySeconds: 120).httpDate
        let harness = LaneHarness(clock: clock) { _, _ in
            .respond(HTTPResponse(status: 503, headers: ["Retry-After": asked]))
        }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()

        harness.track(1...1)
        let wait = try #require(await diagnostics.nextRetry())

        #expect(wait >= .seconds(120) && wait <= .seconds(132))
        try await LedgerCheck.check(harness.engine)
    }

    @Test(arguments: [Int64(3_600), -3_600, 630_720_000, -630_720_000])
    func `a wall clock that jumps changes no wait and drops nothing`(seconds: Int64) async throws {
        let harness = LaneHarness { _, number in number == 1 ? .status(503) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        let wait = try #require(await diagnostics.nextRetry())

        harness.clock.jumpWall(bySeconds: seconds)
        harness.track(2...2)
        await harness.engine.storeBuffered()
        harness.clock.advance(by: wait - .milliseconds(1))
        #expect(harness.transport.requests.count == 1)
        harness.clock.advance(by: .milliseconds(1))
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(await harness.ledger.delivered == 2)
        try await LedgerCheck.check(harness.engine)
    }

    @Test(arguments: ["boot-1", "boot-2"])
    func `a wait continues in the next run of the engine`(bootID: String) async throws {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = LaneHarness(directory: directory) { _, _ in
            .respond(HTTPResponse(status: 503, headers: ["Retry-After": "1000"]))
        }
        var diagnostics = first.engine.diagnostics().makeAsyncIterator()
        try await first.open()
        first.track(1...1)
        let wait = try #require(await diagnostics.nextRetry())
        first.clock.advance(by: .seconds(400))
        await first.engine.close(timeout: .zero)
        let clock = TestClock(wall: first.clock.wallTime(), bootID: bootID)
        if bootID == first.clock.bootID { clock.advance(by: .seconds(400)) }

        let second = LaneHarness(clock: clock, directory: directory)
        try await second.open()
        let left = await clock.nextSleep { $0 > .seconds(500) && $0 < .seconds(2_000) }
        clock.advance(by: left)
        let report = await second.engine.flush(timeout: .seconds(5))

        #expect(left == wait - .seconds(400))
        #expect(report.isDrained)
        try await LedgerCheck.check(second.engine)
    }

    @Test(arguments: [(200, true), (200, false), (401, true), (401, false)])
    func `a flush and a close wait for a probe that is due, and for no other one`(
        status: Int,
        closes: Bool
    ) async throws {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = LaneHarness(directory: directory) { _, _ in .status(401) }
        var diagnostics = first.engine.diagnostics().makeAsyncIterator()
        first.track(1...2)
        try await first.open()
        _ = await diagnostics.next { if case .paused = $0 { true } else { false } }
        await first.engine.close(timeout: .zero)
        let clock = TestClock(wall: first.clock.wallTime().advanced(bySeconds: 441), bootID: first.clock.bootID)
        clock.advance(by: .seconds(441))

        let second = LaneHarness(clock: clock, directory: directory) { _, _ in .status(status) }
        try await second.open()
        let report =
            closes
            ? await second.engine.close(timeout: .seconds(5)) : await second.engine.flush(timeout: .seconds(5))
        let later = closes ? report : await second.engine.flush(timeout: .seconds(5))

        #expect(report.lanes.map(\.outcome) == [status == 200 ? .drained : .paused(.credentials)])
        #expect(later.lanes.map(\.outcome) == report.lanes.map(\.outcome))
        #expect(second.transport.requests.map(\.numbers) == [[1, 2]])
        await second.engine.close(timeout: .zero)
    }

    @Test func `a close waits for the response to a due probe`() async throws {
        let clock = TestClock()
        let (engine, transport) = (DeliveryEngine(clock: clock), SlowProbeTransport(clock: clock))
        let destination = LineDestination()
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport))
        engine.lane(destination.lane).track("viewed", parameters: ["n": 1])
        _ = await diagnostics.next { if case .paused = $0 { true } else { false } }
        clock.advance(by: .seconds(441))
        _ = await clock.nextSleep { $0 == SlowProbeTransport.wait }

        async let closing = engine.close(timeout: .seconds(5))
        _ = await clock.nextSleep { $0 == .seconds(5) || $0 == .seconds(6) }
        // Without the wait, the close cancels the probe in the meantime.
        for _ in 1...10 { _ = await engine.statistics() }
        clock.advance(by: SlowProbeTransport.wait)
        let report = await closing

        #expect(report.lanes.map(\.outcome) == [.drained])
    }

    @Test func `a cancellation by the transport is a failure, and is not retried at once`() async throws {
        let harness = LaneHarness { _, number in number == 1 ? .fail(.cancelled) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()

        harness.track(1...1)
        let wait = try #require(await diagnostics.nextRetry())
        #expect(harness.transport.requests.count == 1)
        harness.clock.advance(by: wait)
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        try await LedgerCheck.check(harness.engine)
    }

    @Test(arguments: [
        (401, PauseReason.credentials), (403, .credentials), (407, .credentials), (404, .endpoint), (405, .endpoint),
        (410, .endpoint), (421, .endpoint), (302, .intercepted), (511, .intercepted), (415, .protocolMismatch),
        (501, .protocolMismatch), (508, .protocolMismatch),
    ])
    func `a pause keeps all events, is in the statistics, probes, and ends when the app resumes the lane`(
        status: Int,
        reason: PauseReason
    ) async throws {
        let first = RetryState.Limits.firstProbe
        let harness = LaneHarness { _, number in number <= 2 ? .status(status) : .status(200) }
        try await harness.open()

        harness.track(1...3)
        let firstWait = await harness.clock.nextSleep { $0 >= first && $0 <= first * 1.1 }
        harness.clock.advance(by: firstWait)
        _ = await harness.clock.nextSleep { $0 >= first * 2 && $0 <= first * 2.2 }
        let paused = await harness.engine.statistics().map(\.pauseReason)
        let flushed = await harness.engine.flush(timeout: .seconds(5))
        await harness.engine.resume(harness.destination.lane)
        let report = await harness.engine.flush(timeout: .seconds(5))

        // A change of network may have ended a captive portal's interception, so a flush tries again.
        #expect(flushed.lanes.map(\.outcome) == [reason == .intercepted ? .drained : .paused(reason)])
        #expect(paused == [reason])
        #expect(report.isDrained)
        #expect(await harness.engine.statistics().map(\.pauseReason) == [nil])
        #expect(await harness.ledger.delivered == 3)
        try await LedgerCheck.check(harness.engine)
    }

    @Test(arguments: [
        (TransportError.untrusted, PauseReason?.some(.trust), "is not trusted"),
        (.hostMismatch, .trust, "is for another host"),
        (.unreadableAuthorities, .trust, "the file of certificate authorities cannot be read"),
        (.unusableCertificate, .trust, "the client's certificate or key cannot be used"),
        (.proxyFailed(proxy: "squid:3128", status: 407), .credentials, "proxy squid:3128 responded with status 407"),
        (.proxyFailed(proxy: "squid:3128", status: 503), nil, "the proxy squid:3128 responded with status 503"),
        (.proxyFailed(proxy: "squid:3128", status: nil), nil, "the proxy squid:3128 did not respond"),
    ])
    func `an error of certificates or of the proxy's credentials pauses, and each has its own sentence`(
        error: TransportError,
        pause: PauseReason?,
        sentence: String
    ) async throws {
        let harness = LaneHarness { _, _ in .fail(error) }
        try await harness.open()

        harness.track(1...1)
        let first = pause == nil ? Duration.milliseconds(500) : RetryState.Limits.firstProbe
        _ = await harness.clock.nextSleep { $0 >= first && $0 <= first * 2 }

        let lane = try #require(await harness.engine.statistics().first)
        #expect(lane.pauseReason == pause)
        #expect(lane.explanation?.contains(sentence) == true)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `a flush skips a back-off once in half a minute`() async throws {
        let harness = LaneHarness { _, _ in .status(503) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        _ = await diagnostics.nextRetry()

        _ = await harness.engine.flush(timeout: .zero)
        _ = await diagnostics.nextRetry()
        for _ in 1...10 { _ = await harness.engine.flush(timeout: .zero) }

        #expect(harness.transport.requests.count == 2)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `a receiver that refuses every event pauses its lane before all events are in quarantine`() async throws
    {
        let harness = LaneHarness { _, _ in .status(400) }
        harness.track(1...200)
        try await harness.open()

        let first = RetryState.Limits.firstProbe
        _ = await harness.clock.nextSleep { $0 >= first && $0 <= first * 1.1 }

        let ledger = await harness.ledger
        #expect(ledger.quarantined == 32)
        #expect(ledger.pending == 168)
        #expect(await harness.engine.statistics().map(\.pauseReason) == [.protocolMismatch])
        try await LedgerCheck.check(harness.engine)
    }
}

extension LaneHarness {
    /// Waits for the rest of an earlier run's wait, then flushes.
    func flush(after wait: Duration) async -> FlushReport {
        clock.advance(by: wait)
        return await engine.flush(timeout: .seconds(5))
    }
}

/// A transport that gets status 401 first, and then a response after a wait.
private struct SlowProbeTransport: Transport {
    static let wait = Duration.seconds(4)

    let clock: TestClock
    private let base = ScriptedTransport { _, number in .status(number == 1 ? 401 : 200) }

    init(clock: TestClock) {
        self.clock = clock
    }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        let response = try await base.send(request, timeout: timeout)
        guard response.status == 200 else { return response }
        do {
            try await clock.sleep(until: clock.monotonicTime().advanced(by: SlowProbeTransport.wait))
        } catch {
            throw .cancelled
        }
        return response
    }
}
