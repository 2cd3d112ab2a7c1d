import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import Testing

/// The files are given back for a while, as an app does whose directory is an App Group's.
@Suite struct OutboxKeeperSuspensionTests {
    private let queue: TemporaryQueue

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test func `during a suspension another process delivers what is there, and nothing is lost or sent twice`()
        async throws
    {
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.suspendStorage()

        let other = LaneHarness(directory: queue.url)
        try await other.open()
        let report = await other.engine.flush(deadline: .seconds(5))
        app.track(4...5)
        await app.engine.persist()
        await other.engine.close(deadline: .zero)
        app.transport.setScript { _, _ in .status(200) }
        let before = app.transport.requests.count
        await app.engine.resumeStorage()
        let last = await app.engine.flush(deadline: .seconds(60))

        #expect(report.isDrained && last.isDrained)
        #expect(other.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(app.transport.requests.dropFirst(before).flatMap(\.numbers) == [4, 5])
        #expect(queue.hasQueue)
        try await LedgerCheck.check(app.engine)
    }

    @Test func `while another process uses the directory at the end of the suspension, everything waits`() async throws
    {
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.suspendStorage()
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
        await other.engine.close(deadline: .zero)
        #expect(await app.engine.flush(deadline: .seconds(60)).isDrained)
        #expect(app.transport.requests.dropFirst(before).flatMap(\.numbers) == [1, 2, 3, 4, 5])
        try await LedgerCheck.check(app.engine)
    }

    @Test(arguments: [true, false])
    func `a request under way is settled with the resumption, and its batch not sent again`(isAnsweredBefore: Bool)
        async throws
    {
        let transport = HeldTransport()
        let engine = DeliveryEngine(clock: TestClock())
        // Before the opening, so that all are in the first request.
        track(1...3, by: engine)
        try await open(engine, transport)
        await transport.arrival()

        await engine.suspendStorage()
        if isAnsweredBefore { await answered(by: engine, transport) }
        await engine.resumeStorage()
        transport.answer()
        let report = await engine.flush(deadline: .seconds(60))

        #expect(report.isDrained)
        #expect(transport.bodies.count == 1)
        #expect(await engine.statistics().map(\.ledger.delivered) == [3])
        try await LedgerCheck.check(engine)
        await engine.close(deadline: .zero)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        #expect(await next.ledger.pending == 0)
    }

    @Test func `an answer that comes while another process takes the file over costs a repetition with the same ids`()
        async throws
    {
        let transport = HeldTransport()
        let engine = DeliveryEngine(clock: TestClock())
        // Before the opening, so that all are in the first request.
        track(1...3, by: engine)
        try await open(engine, transport)
        await transport.arrival()
        await engine.suspendStorage()

        let other = LaneHarness(directory: queue.url)
        try await other.open()
        _ = await other.engine.flush(deadline: .seconds(5))
        await other.engine.close(deadline: .zero)
        await answered(by: engine, transport)
        await engine.resumeStorage()
        let report = await engine.flush(deadline: .seconds(60))

        #expect(report.isDrained)
        #expect(transport.bodies == other.transport.requests.map(\.body))
        #expect(await engine.statistics().map(\.ledger.delivered) == [3])
        try await LedgerCheck.check(engine)
    }

    @Test func `memory has a bound while the storage is suspended, and what comes beyond is counted`() async throws {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 100)
        let transport = ScriptedTransport()
        try await open(engine, transport)
        await engine.suspendStorage()

        for start in stride(from: 1, through: 10_000, by: 50) {
            track(start...start + 49, by: engine)
            await engine.persist()
        }
        let suspended = try #require(await engine.statistics().first)
        await engine.resumeStorage()
        let report = await engine.flush(deadline: .seconds(60))

        #expect(suspended.ledger.accepted == 10_000)
        #expect(suspended.ledger.pending <= 50 + 100)
        #expect(suspended.ledger.dropped == [.bufferFull: 10_000 - suspended.ledger.pending])
        #expect(suspended.storageFailure == .suspended)
        #expect(transport.requests.flatMap(\.numbers).count == suspended.ledger.pending)
        #expect(report.isDrained)
        try await LedgerCheck.check(engine)
    }

    @Test func `a denial holds at once while the storage is suspended, and its events are deleted with the resumption`()
        async throws
    {
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.suspendStorage()
        app.track([4])
        await app.engine.persist()

        await #expect(throws: OutboxError.notStored(.suspended)) {
            try await app.engine.setConsent(.denied, for: .analytics)
        }
        app.track([5])
        let before = app.transport.requests.count
        await app.engine.resumeStorage()

        #expect(await app.ledger.dropped == [.consentDenied: 5])
        #expect(app.transport.requests.count == before)
        #expect(await app.engine.storedEvents().values.allSatisfy { $0.pending == 0 })
        #expect(!bytes().contains("viewed"))
        await app.engine.close(deadline: .zero)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        #expect(await next.engine.statistics().map(\.consent) == [.denied])
    }

    @Test func `a denial during a suspension reaches what another process has stored meanwhile`() async throws {
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.suspendStorage()
        app.track([4])
        let other = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await other.open()
        other.track(5...6)
        await other.engine.close(deadline: .zero)

        try? await app.engine.setConsent(.denied, for: .analytics)
        await app.engine.resumeStorage()
        await app.engine.persist()

        #expect(await app.ledger.pending == 0)
        #expect(await app.ledger.dropped == [.consentDenied: 6])
        #expect(!bytes().contains("viewed"))
        try await LedgerCheck.check(app.engine)
    }

    @Test(arguments: [[Consent.denied], [.denied, .granted]])
    func `a denial that another process has stored during the suspension holds afterwards`(words: [Consent])
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
        for word in words { try await other.engine.setConsent(word, for: .analytics) }
        await other.engine.close(deadline: .zero)
        app.transport.setScript { _, _ in .status(200) }
        let before = app.transport.requests.count

        await app.engine.resumeStorage()
        _ = await app.engine.flush(deadline: .seconds(60))
        app.track([5])
        _ = await app.engine.flush(deadline: .seconds(60))

        #expect(app.transport.requests.dropFirst(before).flatMap(\.numbers) == (words.last == .granted ? [5] : []))
        #expect(await app.engine.statistics().map(\.consent) == [words.last])
        try await LedgerCheck.check(app.engine)
    }

    @Test func `what only memory holds when another process takes the directory over is counted as lost`() async throws
    {
        DiskFaults.prepare()
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.persist()
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        app.track(4...5)
        await app.engine.persist()
        await app.engine.suspendStorage()
        DiskFaults.set(nil, for: queue.url)
        let other = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await other.open()
        other.track([6])
        await other.engine.close(deadline: .zero)

        await app.engine.resumeStorage()
        await app.engine.persist()

        let ledger = await app.ledger
        #expect(ledger.pending + (ledger.dropped[.bufferFull] ?? 0) == 6)
        #expect(ledger.accepted == 6)
        try await LedgerCheck.check(app.engine)
    }

    @Test func `a denial while the file cannot be opened again does not take it for an ended process's`() async throws {
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.suspendStorage()
        let log = queue.path + "-wal"
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
        await app.engine.resumeStorage()
        #expect(await app.engine.statistics().map(\.storageFailure) != [nil])
        try FileManager.default.removeItem(atPath: log)

        await #expect(throws: OutboxError.self) { try await app.engine.setConsent(.denied, for: .analytics) }
        app.clock.advance(by: .seconds(60))
        await app.engine.persist()

        #expect(await app.engine.statistics().map(\.storageFailure) == [nil])
        #expect(queue.files.filter { $0.hasSuffix(".db") } == ["queue.db"])
        #expect(await app.ledger.dropped == [.consentDenied: 3])
        #expect(await app.engine.flush(deadline: .seconds(60)).lanes.map(\.lost) == [[.consentDenied: 3]])
        try await LedgerCheck.check(app.engine)
    }

    @Test func `nothing touches the directory until the storage is resumed`() async throws {
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.suspendStorage()
        let before = bytes()

        app.track(4...200)
        await app.engine.persist()
        await app.engine.reset()
        try? await app.engine.setConsent(.granted, for: .marketing)
        app.clock.advance(by: .seconds(100))
        await app.engine.persist()

        #expect(bytes() == before)
        #expect(queue.files.allSatisfy { !$0.hasSuffix("-wal") })
        let file = try SQLiteOutbox(path: queue.path)
        #expect(try file.lanes().map(\.ledger.pending) == [3])
        file.close()
    }

    @Test func `closing resumes the storage first, and leaves everything to the next start`() async throws {
        let app = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await app.open()
        app.track(1...3)
        await app.engine.suspendStorage()
        await app.engine.suspendStorage()
        app.track(4...5)
        await app.engine.close(deadline: .zero)
        await app.engine.resumeStorage()

        let next = LaneHarness(directory: queue.url)
        try await next.open()
        let report = await next.engine.flush(deadline: .seconds(60))

        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4, 5])
        try await LedgerCheck.check(next.engine)
    }

    private func open(_ engine: DeliveryEngine, _ transport: any Transport) async throws {
        try await engine.open(
            DeliveryConfiguration(directory: queue.url, destinations: [LineDestination()], transport: transport)
        )
    }

    private func track(_ numbers: ClosedRange<Int>, by engine: DeliveryEngine) {
        for number in numbers {
            engine.lane(LineDestination().lane).track("viewed", parameters: ["n": .int(number)])
        }
    }

    /// Lets the receiver answer, and waits until the engine knows of it.
    private func answered(by engine: DeliveryEngine, _ transport: HeldTransport) async {
        transport.answer()
        while await engine.statistics().first?.ledger.delivered == 0 { await Task.yield() }
    }

    /// All that lies in the directory, as text.
    private func bytes() -> String {
        queue.files.map { name in
            let path = queue.url.appending(path: name)
            return name + String(decoding: (try? Data(contentsOf: path)) ?? Data(), as: UTF8.self)
        }.joined()
    }
}

/// Holds its answers back until it is told to give them.
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
            let isThere = state.withLock { state in
                if state.bodies.isEmpty { state.arrivals.append(continuation) }
                return !state.bodies.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    /// Answers what is held, and all that comes, with 200.
    func answer() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
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
