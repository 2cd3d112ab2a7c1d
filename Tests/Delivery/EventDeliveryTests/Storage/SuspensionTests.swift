import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import Foundation
import Locks
import Testing

@testable import EventDeliveryScenes

/// Tests of an engine that releases its directory for a while, as an app does with a directory in an App Group.
@Suite(.timeLimit(.minutes(5))) struct SuspensionTests {
    private let queue: TemporaryQueue

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test func `during a suspension another process delivers the stored events, and none is lost or sent twice`()
        async throws
    {
        let app = try await suspendedApp()

        let other = LaneHarness(directory: queue.url)
        try await other.open()
        let report = await other.engine.flush(timeout: .seconds(5))
        app.track(4...5)
        await app.engine.storeBuffered()
        await other.engine.close(timeout: .zero)
        app.transport.setScript { _, _ in .status(200) }
        let before = app.transport.requests.count
        await app.engine.resumeStorage()
        let last = await app.engine.flush(timeout: .seconds(60))

        #expect(report.isDrained && last.isDrained)
        #expect(other.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(app.transport.requests.dropFirst(before).flatMap(\.numbers) == [4, 5])
        #expect(queue.hasQueue)
        try await LedgerCheck.check(app.engine)
    }

    @Test func `the next report counts the events that another process delivered during the suspension`() async throws {
        let app = try await suspendedApp()

        let other = LaneHarness(directory: queue.url)
        try await other.open()
        other.track([4])
        _ = await other.engine.flush(timeout: .seconds(5))
        await other.engine.close(timeout: .zero)
        await app.engine.resumeStorage()
        let report = try #require(await app.engine.flush(timeout: .seconds(60)).lanes.first)
        let statistics = try #require(await app.engine.statistics().first)

        #expect((report.accepted, report.delivered, report.pending, report.pendingAtLastReport) == (3, 4, 0, 1))
        #expect((statistics.ledgerSinceOpening.delivered, statistics.pendingAtOpen) == (4, 1))
        try await LedgerCheck.check(app.engine)
    }

    @Test func `the events of a directory that was deleted during the suspension are counted as lost`() async throws {
        let app = try await suspendedApp()

        try Removal.directory.perform(in: queue)
        await app.engine.resumeStorage()
        let report = try #require(await app.engine.flush(timeout: .seconds(60)).lanes.first)

        #expect((report.accepted, report.pending, report.pendingAtLastReport) == (3, 0, 0))
        #expect(report.dropped == [.corrupted: 3])
        try await LedgerCheck.check(app.engine)
    }

    @Test func `while another process uses the directory at the end of the suspension, everything waits`() async throws
    {
        let app = try await suspendedApp()
        app.track(4...5)
        let other = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await other.open()
        app.transport.setScript { _, _ in .status(200) }
        let before = app.transport.requests.count

        await app.engine.resumeStorage()

        #expect(await app.engine.statistics().map(\.storageFailure) == [.directoryInUse])
        #expect(app.engine.unstoredCount == 2)
        #expect(await other.ledger.pending == 3)
        #expect(app.transport.requests.count == before)
        await other.engine.close(timeout: .zero)
        #expect(await app.engine.flush(timeout: .seconds(60)).isDrained)
        #expect(app.transport.requests.dropFirst(before).flatMap(\.numbers) == [1, 2, 3, 4, 5])
        try await LedgerCheck.check(app.engine)
    }

    @Test func `a suspension cancels a request, whose batch is sent again with the same ids`() async throws {
        let transport = ScriptedTransport { _, _ in .hang }
        let engine = DeliveryEngine(clock: TestClock())
        // Events tracked before the opening are sent in one request.
        track(1...3, by: engine)
        try await open(engine, transport)
        await transport.requests(count: 1)

        await engine.suspendStorage()
        transport.setScript { _, _ in .status(200) }
        await engine.resumeStorage()
        let report = await engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        #expect(transport.requests.count == 2)
        #expect(Set(transport.requests.map(\.body)).count == 1)
        #expect(await engine.statistics().map(\.ledger.delivered) == [3])
        try await LedgerCheck.check(engine)
    }

    @Test func `a suspension cancels no request of an engine in memory`() async throws {
        let (engine, _, transport) = try await openWithRequest(in: nil)

        await engine.suspendStorage()
        transport.respond()
        let report = await engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        #expect(transport.bodies.count == 1)
        await engine.close(timeout: .zero)
    }

    @Test func `a batch that waits for the end of a cancelled request is not sent during a suspension`() async throws {
        let destination = LineDestination(order: .none, limits: BatchLimits(events: 3, bodyBytes: 10_000, inFlight: 2))
        let (engine, clock, transport) = try await openWithRequest(in: queue.url, destination)
        let erasure = Task { try await engine.erase(user: "other") }
        while engine.buffer.lastErasure == 0 { await Task.yield() }
        track(4...4, by: engine)
        await engine.storeBuffered()
        for _ in 0..<1_000 { await Task.yield() }

        await suspend(engine, clock)
        transport.respond()
        _ = await erasure.result
        for _ in 0..<1_000 { await Task.yield() }
        let sent = transport.bodies.count
        await engine.resumeStorage()
        transport.respond()
        let report = await engine.flush(timeout: .seconds(60))

        #expect(sent == 1)
        #expect(report.isDrained)
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a pause that the app ends during a suspension stays ended`() async throws {
        let app = LaneHarness(directory: queue.url) { _, _ in .status(401) }
        try await app.open()
        app.track(1...3)
        let paused = await app.engine.flush(timeout: .seconds(5))

        await app.engine.suspendStorage()
        await app.engine.resume()
        app.transport.setScript { _, _ in .status(200) }
        await app.engine.resumeStorage()
        let report = await app.engine.flush(timeout: .seconds(5))

        #expect(paused.lanes.map(\.outcome) == [.paused(.credentials)])
        #expect(report.isDrained)
        try await LedgerCheck.check(app.engine)
    }

    @Test func `a suspension does not let a second flush skip a back-off within 30 seconds`() async throws {
        let app = LaneHarness(directory: queue.url) { _, _ in .status(503) }
        try await app.open()
        app.track(1...3)

        var requests: [Int] = []
        for _ in 1...4 {
            _ = await app.engine.flush(timeout: .milliseconds(100))
            requests.append(app.transport.requests.count)
            await app.engine.suspendStorage()
            await app.engine.resumeStorage()
        }

        #expect(requests == [1, 2, 2, 2])
        try await LedgerCheck.check(app.engine)
    }

    @Test func `an engine that could not open its directory sends nothing during a suspension either`() async throws {
        DiskFaults.prepare()
        DiskFaults.set(.open(EPERM), for: queue.url)
        let (engine, transport) = (DeliveryEngine(clock: TestClock()), ScriptedTransport())
        try await open(engine, transport)

        await engine.suspendStorage()
        track(1...3, by: engine)
        await engine.storeBuffered()
        let suspended = await engine.flush(timeout: .zero)
        let sent = transport.requests.count
        DiskFaults.set(nil, for: queue.url)
        await engine.resumeStorage()
        let resumed = await engine.flush(timeout: .seconds(60))

        #expect(suspended.lanes.map(\.outcome) == [.timedOut])
        #expect(sent == 0)
        #expect(resumed.isDrained)
        #expect(transport.requests.flatMap(\.numbers) == [1, 2, 3])
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: [true, false])
    func `a transport that ignores its cancellation delays a suspension by a second, and no event counts twice`(
        respondsBefore: Bool
    ) async throws {
        let (engine, clock, transport) = try await openWithRequest(in: queue.url)

        await suspend(engine, clock)
        if respondsBefore { transport.respond() }
        await engine.resumeStorage()
        transport.respond()
        let report = await engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        #expect(Set(transport.bodies).count == 1)
        #expect(await engine.statistics().map(\.ledger.delivered) == [3])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        #expect(await next.ledger.pending == 0)
    }

    @Test func `a batch that another process delivers while its request is in flight has the same ids in both`()
        async throws
    {
        let (engine, clock, transport) = try await openWithRequest(in: queue.url)
        await suspend(engine, clock)

        let other = LaneHarness(directory: queue.url)
        try await other.open()
        _ = await other.engine.flush(timeout: .seconds(5))
        await other.engine.close(timeout: .zero)
        transport.respond()
        await engine.resumeStorage()
        let report = await engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        #expect(transport.bodies == other.transport.requests.map(\.body))
        #expect(await engine.statistics().map(\.ledger.delivered) == [3])
        try await LedgerCheck.check(engine)
    }

    @Test func `memory is bounded while the storage is suspended, and events beyond the bound are counted`()
        async throws
    {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 100)
        let transport = ScriptedTransport()
        try await open(engine, transport)
        await engine.suspendStorage()

        for start in stride(from: 1, through: 10_000, by: 50) {
            track(start...start + 49, by: engine)
            await engine.storeBuffered()
        }
        let suspended = try #require(await engine.statistics().first)
        await engine.resumeStorage()
        let report = await engine.flush(timeout: .seconds(60))

        #expect(suspended.ledger.accepted == 10_000)
        #expect(suspended.ledger.pending <= 50 + 100)
        #expect(suspended.ledger.dropped == [.bufferFull: 10_000 - suspended.ledger.pending])
        #expect(suspended.storageFailure == .suspended)
        #expect(transport.requests.flatMap(\.numbers).count == suspended.ledger.pending)
        #expect(report.isDrained)
        try await LedgerCheck.check(engine)
    }

    @Test func `a denial is in effect at once during a suspension, and its events are deleted after the resumption`()
        async throws
    {
        let app = try await suspendedApp()
        app.track([4])
        await app.engine.storeBuffered()

        await #expect(throws: DecisionError.notStored(.suspended)) {
            try await app.engine.setConsent(.denied, for: .analytics)
        }
        app.track([5])
        let before = app.transport.requests.count
        await app.engine.resumeStorage()

        #expect(await app.ledger.dropped == [.consentDenied: 5])
        #expect(app.transport.requests.count == before)
        #expect(await app.engine.storedEvents().values.allSatisfy { $0.pending == 0 })
        await app.engine.waitUntilGone("viewed", from: queue)
        await app.engine.close(timeout: .zero)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        #expect(await next.engine.statistics().map(\.consent) == [.denied])
    }

    @Test func `a denial during a suspension covers the events that another process has stored in the meantime`()
        async throws
    {
        let app = try await suspendedApp()
        app.track([4])
        let other = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await other.open()
        other.track(5...6)
        await other.engine.close(timeout: .zero)

        try? await app.engine.setConsent(.denied, for: .analytics)
        await app.engine.resumeStorage()
        await app.engine.storeBuffered()

        #expect(await app.ledger.pending == 0)
        #expect(await app.ledger.dropped == [.consentDenied: 6])
        await app.engine.waitUntilGone("viewed", from: queue)
        try await LedgerCheck.check(app.engine)
    }

    @Test(arguments: [[Consent.denied], [.denied, .granted]])
    func
        `the last decision of another process during the suspension is in effect, even for buffered events`(
            decisions: [Consent]
        )
        async throws
    {
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        try await app.engine.setConsent(.granted, for: .analytics)
        app.track(1...3)
        await app.engine.suspendStorage()
        app.track([4])
        let other = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await other.open()
        for decision in decisions { try await other.engine.setConsent(decision, for: .analytics) }
        await other.engine.close(timeout: .zero)
        app.transport.setScript { _, _ in .status(200) }
        let before = app.transport.requests.count

        await app.engine.resumeStorage()
        _ = await app.engine.flush(timeout: .seconds(60))
        app.track([5])
        _ = await app.engine.flush(timeout: .seconds(60))

        #expect(
            app.transport.requests.dropFirst(before).flatMap(\.numbers) == (decisions.last == .granted ? [4, 5] : [])
        )
        #expect(await app.engine.statistics().map(\.consent) == [decisions.last])
        try await LedgerCheck.check(app.engine)
    }

    @Test func `events that are only in memory at a suspension are counted as lost`() async throws {
        DiskFaults.prepare()
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.storeBuffered()
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        app.track(4...5)
        await app.engine.storeBuffered()
        await app.engine.suspendStorage()
        DiskFaults.set(nil, for: queue.url)
        let other = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await other.open()
        other.track([6])
        await other.engine.close(timeout: .zero)

        await app.engine.resumeStorage()
        await app.engine.storeBuffered()

        let ledger = await app.ledger
        #expect(ledger.accepted == 6)
        #expect(ledger.dropped == [.bufferFull: 2])
        #expect(ledger.pending == 4)
        try await LedgerCheck.check(app.engine)
    }

    @Test func `a denial while the file cannot be opened after a suspension throws, and is applied later`()
        async throws
    {
        DiskFaults.prepare()
        let app = try await suspendedApp()
        DiskFaults.set(.open(EPERM), for: queue.url)
        await app.engine.resumeStorage()
        let failure = try #require(await app.engine.statistics().first?.storageFailure)

        await #expect(throws: DecisionError.notStored(failure)) {
            try await app.engine.setConsent(.denied, for: .analytics)
        }
        DiskFaults.set(nil, for: queue.url)
        await app.engine.storeBuffered()

        #expect(await app.engine.statistics().map(\.storageFailure) == [nil])
        #expect(await app.ledger.dropped == [.consentDenied: 3])
        #expect(await app.engine.flush(timeout: .seconds(60)).lanes.map(\.dropped) == [[.consentDenied: 3]])
        try await LedgerCheck.check(app.engine)
    }

    @Test func `nothing touches the directory until the storage is resumed`() async throws {
        let app = try await suspendedApp()
        let before = bytes()

        app.track(4...200)
        await app.engine.storeBuffered()
        await app.engine.reset()
        try? await app.engine.setConsent(.granted, for: .marketing)
        app.clock.advance(by: .seconds(100))
        await app.engine.storeBuffered()

        #expect(bytes() == before)
        #expect(queue.files.allSatisfy { !$0.hasSuffix("-wal") })
        let file = try SQLiteOutbox(path: queue.path)
        #expect(try file.lanes().map(\.ledger.pending) == [3])
        file.close()
    }

    @Test func `closing an engine resumes the storage first, and the next start delivers all events`() async throws {
        let app = try await suspendedApp()
        await app.engine.suspendStorage()
        app.track(4...5)
        await app.engine.close(timeout: .zero)
        await app.engine.resumeStorage()

        let next = LaneHarness(directory: queue.url)
        try await next.open()
        let report = await next.engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4, 5])
        try await LedgerCheck.check(next.engine)
    }

    /// Returns an app without a connection, which has tracked three events and suspended its storage.
    private func suspendedApp() async throws -> LaneHarness {
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.suspendStorage()
        return app
    }

    private func open(_ engine: DeliveryEngine, _ transport: any Transport) async throws {
        try await engine.open(configuration(queue.url, transport))
    }

    private func configuration(_ directory: URL?, _ transport: any Transport) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: directory, destinations: [LineDestination()], transport: transport)
    }

    /// Opens an engine, and waits until a request with three events is in flight, which ignores its cancellation.
    private func openWithRequest(
        in directory: URL?,
        _ destination: LineDestination = LineDestination()
    ) async throws -> (engine: DeliveryEngine, clock: TestClock, transport: HeldTransport) {
        let (clock, transport) = (TestClock(), HeldTransport())
        let engine = DeliveryEngine(clock: clock)
        // Events tracked before the opening are sent in one request.
        track(1...3, by: engine)
        try await engine.open(
            DeliveryConfiguration(directory: directory, destinations: [destination], transport: transport)
        )
        await transport.arrival()
        return (engine, clock, transport)
    }

    private func track(_ numbers: ClosedRange<Int>, by engine: DeliveryEngine) {
        for number in numbers {
            engine.lane(LineDestination().lane).track("viewed", parameters: ["n": .int(number)])
        }
    }

    /// Suspends the storage during a request that ignores its cancellation.
    private func suspend(_ engine: DeliveryEngine, _ clock: TestClock) async {
        // From here on, the storage's barrier is less than a second away, and only the suspension waits for one.
        clock.advance(by: .milliseconds(500))
        async let suspension: Void = engine.suspendStorage()
        _ = await clock.nextSleep { $0 == .seconds(1) }
        clock.advance(by: .seconds(1))
        await suspension
    }

    /// The names and contents of all files, as text.
    private func bytes() -> String {
        queue.files.map { name in
            let path = queue.url.appending(path: name)
            return name + String(decoding: (try? Data(contentsOf: path)) ?? Data(), as: UTF8.self)
        }.joined()
    }
}

/// A transport that holds its responses back, and ignores cancellations.
private final class HeldTransport: Transport {
    private struct State {
        var bodies: [[UInt8]] = []
        var isOpen = false
        var held: [CheckedContinuation<Void, Never>] = []
        var arrivals: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var bodies: [[UInt8]] { state.withLock { $0.bodies } }

    /// Waits for the first request.
    func arrival() async {
        await withCheckedContinuation { continuation in
            let hasArrived = state.withLock { state in
                if state.bodies.isEmpty { state.arrivals.append(continuation) }
                return !state.bodies.isEmpty
            }
            if hasArrived { continuation.resume() }
        }
    }

    /// Responds to the held request and to all later ones with 200.
    func respond() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        await withCheckedContinuation { continuation in
            let (isOpen, arrivals) = state.withLock { state in
                state.bodies.append(request.body)
                if !state.isOpen { state.held.append(continuation) }
                defer { state.arrivals = [] }
                return (state.isOpen, state.arrivals)
            }
            for arrival in arrivals { arrival.resume() }
            if isOpen { continuation.resume() }
        }
        return HTTPResponse(status: 200)
    }
}
