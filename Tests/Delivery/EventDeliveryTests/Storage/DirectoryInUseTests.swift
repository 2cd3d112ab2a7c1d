import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import Foundation
import Testing

@testable import EventDeliveryScenes

/// Tests of a process whose directory another process uses.
@Suite(.timeLimit(.minutes(5))) struct DirectoryInUseTests {
    private let queue: TemporaryQueue
    private let lane = LineDestination().lane

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test func `a second process stores and sends nothing, reports it, and delivers when the directory is free`()
        async throws
    {
        let first = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await first.open()
        let second = LaneHarness(directory: queue.url)
        var diagnostics = second.engine.diagnostics().makeAsyncIterator()
        try await second.open()

        second.track(1...3)
        let waiting = await second.engine.flush(timeout: .zero)
        let statistics = await second.engine.statistics()
        #expect(await diagnostics.next() == .storageFailed(.directoryInUse))
        #expect(waiting.lanes.map(\.outcome) == [.storageUnavailable(.directoryInUse)])
        #expect(statistics.map(\.storageFailure) == [.directoryInUse])
        #expect(statistics.map(\.ledger.pending) == [3])
        #expect(second.engine.unstoredCount == 3)
        #expect(second.engine.identity.deviceID.isEmpty)
        try await LedgerCheck.check(second.engine)
        await first.engine.close(timeout: .zero)
        let report = await second.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(second.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(await diagnostics.next() == .storageRecovered)
        #expect(second.engine.identity.deviceID.count == 32)
        try await LedgerCheck.check(second.engine)
    }

    @Test func `a waiting process without events tries the lock each second, and delivers the events that it finds`()
        async throws
    {
        let first = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await first.open()
        first.track(1...3)
        let second = LaneHarness(directory: queue.url)
        try await second.open()

        await first.engine.close(timeout: .zero)
        while await second.ledger.delivered < 3 {
            second.clock.advance(by: .seconds(1))
            await Task.yield()
        }

        #expect(second.transport.requests.flatMap(\.numbers) == [1, 2, 3])
    }

    @Test func `the events of a waiting process are stored when the directory is free`() async throws {
        let first = LaneHarness(directory: queue.url)
        try await first.open()
        let second = LaneHarness(directory: queue.url)
        try await second.open()

        async let id = second.store(1)
        while second.engine.unstoredCount == 0 { await Task.yield() }
        await first.engine.close(timeout: .zero)
        while second.engine.unstoredCount > 0 {
            second.clock.advance(by: .seconds(1))
            await Task.yield()
        }

        let receipt = await id
        #expect(await second.engine.explain(receipt) != nil)
    }

    @Test func `it delivers the events of the first process too, and counts its own as lost if it is closed before`()
        async throws
    {
        let first = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await first.open()
        first.track(1...3)
        let second = LaneHarness(directory: queue.url)
        try await second.open()
        let third = LaneHarness(directory: queue.url)
        try await third.open()
        second.track([4])
        third.track(5...6)

        let closed = await third.engine.close(timeout: .zero)
        await first.engine.close(timeout: .zero)
        let report = await second.engine.flush(timeout: .seconds(5))

        #expect(closed.lanes.map(\.dropped) == [[.closed: 2]])
        #expect(await third.ledger.dropped == [.closed: 2])
        #expect(report.isDrained)
        #expect(second.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4])
        try await LedgerCheck.check(second.engine)
    }

    @Test func `its denial is in effect at once, throws, and is applied when it gets the directory`() async throws {
        let first = try await GrantedEngine.open(queue.url)
        GrantedEngine.track("BEFORE", by: first)
        let second = try await GrantedEngine.open(queue.url)
        GrantedEngine.track("BUFFERED", by: second)

        await #expect(throws: DecisionError.notStored(.directoryInUse)) {
            try await second.setConsent(.denied, for: .analytics)
        }
        GrantedEngine.track("LATER", by: second)
        #expect(second.lane(lane).isConsentDenied)
        #expect(second.unstoredCount == 0)
        await first.close(timeout: .zero)
        await second.storeBuffered()

        #expect(try queue.copy().rows().state?.decisions.values.map(\.consent) == [.denied])
        #expect(await second.statistics().map(\.ledger.dropped) == [[.consentDenied: 9]])
        await second.waitUntilGone("BEFORE", from: queue)
        for canary in ["BUFFERED", "LATER"] { #expect(try !queue.contents().contains(canary)) }
        await second.close(timeout: .zero)
    }

    @Test(arguments: [[Consent.denied], [.denied, .granted]])
    func
        `the last stored decision of the first process applies to buffered events and replaces an earlier grant`(
            decisions: [Consent]
        ) async throws
    {
        let first = try await GrantedEngine.open(queue.url)
        let transport = ScriptedTransport()
        let second = try await GrantedEngine.open(queue.url, transport)
        GrantedEngine.track("BEFORE", by: second)
        await #expect(throws: DecisionError.notStored(.directoryInUse)) {
            try await second.setConsent(.granted, for: .analytics)
        }

        for decision in decisions { try await first.setConsent(decision, for: .analytics) }
        await first.close(timeout: .zero)
        await second.storeBuffered()
        GrantedEngine.track("LATER", by: second)
        _ = await second.flush(timeout: .seconds(5))

        let sent = transport.sentText
        #expect(sent.contains("BEFORE") == (decisions.last == .granted))
        #expect(sent.contains("LATER") == (decisions.last == .granted))
        #expect(await second.statistics().first?.consent == decisions.last)
        await second.close(timeout: .zero)
    }

    @Test func `a stored denial of an earlier run beats a grant of a waiting process, which must repeat it`()
        async throws
    {
        let denied = try await GrantedEngine.open(queue.url)
        try await denied.setConsent(.denied, for: .analytics)
        await denied.close(timeout: .zero)
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(DeliveryConfiguration(directory: queue.url, destinations: [LineDestination()]))
        let transport = ScriptedTransport()
        let second = DeliveryEngine(clock: TestClock())
        try await second.open(
            DeliveryConfiguration(directory: queue.url, destinations: [LineDestination()], transport: transport)
        )

        GrantedEngine.track("REFUSED", by: second)
        await #expect(throws: DecisionError.notStored(.directoryInUse)) {
            try await second.setConsent(.granted, for: .analytics)
        }
        GrantedEngine.track("REFUSED", by: second)
        await first.close(timeout: .zero)
        _ = await second.flush(timeout: .seconds(5))
        #expect(transport.requests.isEmpty)
        #expect(await second.statistics().map(\.ledger.dropped) == [[.consentDenied: 6]])

        try await second.setConsent(.granted, for: .analytics)
        GrantedEngine.track("LATER", by: second)
        #expect(await second.flush(timeout: .seconds(5)).isDrained)
        #expect(!transport.sentText.contains("REFUSED"))
        #expect(transport.sentText.contains("LATER"))
        await second.close(timeout: .zero)
    }

    @Test func `an erasure of a waiting process throws, and covers the events of both when it gets the directory`()
        async throws
    {
        let (first, transport) = (try await GrantedEngine.open(queue.url), ScriptedTransport())
        let second = try await GrantedEngine.open(queue.url, transport)
        for engine in [first, second] {
            engine.user.identify("ali")
            GrantedEngine.track("ERASED", by: engine)
            engine.user.clear()
            GrantedEngine.track("KEPT", by: engine)
        }
        await first.storeBuffered()

        await #expect(throws: DecisionError.notStored(.directoryInUse)) { try await second.erase(user: "ali") }
        await first.close(timeout: .zero)
        #expect(await second.flush(timeout: .seconds(5)).isDrained)

        let sent = transport.sentText
        #expect(!sent.contains("ERASED"))
        #expect(sent.matches(of: /KEPT/).count == 6)
        await second.waitUntilGone("ERASED", from: queue)
        await second.close(timeout: .zero)
    }

    @Test func `another program's file in the directory stays unchanged, and events are stored`() async throws {
        let file = queue.url.appending(path: "notes")
        try Data("another".utf8).write(to: file)
        let harness = LaneHarness(directory: queue.url)

        try await harness.open()
        harness.track(1...2)

        #expect(await harness.engine.flush(timeout: .seconds(5)).isDrained)
        try await harness.engine.setConsent(.denied, for: .analytics)
        #expect(await harness.engine.statistics().first?.storageFailure == nil)
        await harness.engine.close(timeout: .zero)
        #expect(try String(contentsOf: file, encoding: .utf8) == "another")
        #expect(queue.hasQueue)
    }
}

/// Tests of a process that loses its lock, or cannot have one.
@Suite(.timeLimit(.minutes(5))) struct DirectoryLossTests {
    private let queue: TemporaryQueue
    private var lock: URL { queue.url.appending(path: "lock") }

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test func `a directory that was moved is counted as lost, and the next denial throws`() async throws {
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        try await engine.open(GrantedEngine.configuration(queue.url))
        GrantedEngine.track("LEFT", by: engine)
        await engine.storeBuffered()
        let aside = queue.url.appendingPathExtension("aside")
        try FileManager.default.moveItem(at: queue.url, to: aside)
        defer { try? FileManager.default.removeItem(at: aside) }
        GrantedEngine.track("LATER", by: engine)
        await engine.storeBuffered()
        clock.advance(by: .seconds(2))
        await engine.storeBuffered()

        let ledger = try #require(await engine.statistics().first).ledger
        await #expect(throws: DecisionError.notStored(.vanished)) {
            try await engine.setConsent(.denied, for: .analytics)
        }
        try await engine.setConsent(.denied, for: .analytics)

        #expect(ledger.dropped == [.corrupted: 3])
        #expect(ledger.pending == 3)
        #expect(try !queue.contents().contains("LATER"))
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a denial stays in effect and is stored again if the directory is deleted under an open engine`()
        async throws
    {
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        var configuration = GrantedEngine.configuration(queue.url)
        configuration.consent = [:]
        try await engine.open(configuration)
        try await engine.setConsent(.denied, for: .analytics)

        try FileManager.default.removeItem(at: queue.url)
        while !TemporaryQueue.hasQueue(in: queue.url) {
            await engine.storeBuffered()
            clock.advance(by: .seconds(2))
        }
        GrantedEngine.track("DENIED", by: engine)
        await engine.storeBuffered()
        let ledger = try #require(await engine.statistics().first).ledger
        try await engine.setConsent(.granted, for: .analytics)
        try await engine.setConsent(.denied, for: .analytics)
        await engine.close(timeout: .zero)
        let next = try await GrantedEngine.openUndecided(queue.url)
        GrantedEngine.track("DENIED", by: next)
        await next.storeBuffered()

        #expect(ledger.dropped == [.consentDenied: 3])
        #expect(try #require(await next.statistics().first).ledger.dropped == [.consentDenied: 6])
        await next.close(timeout: .zero)
        let state = try #require(try queue.rows().state)
        #expect(state.decisions.values.map(\.consent) == [.denied])
        #expect(state.number >= 3)
    }

    @Test func `an engine whose lock file was deleted opens the directory again, and counts every event`() async throws
    {
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()
        harness.track(1...3)
        await harness.engine.storeBuffered()

        try FileManager.default.removeItem(at: lock)
        harness.track([4])
        await harness.engine.storeBuffered()
        await harness.engine.storeBuffered()
        let other = LaneHarness(directory: queue.url)
        try await other.open()

        #expect(await other.engine.statistics().map(\.storageFailure) == [.directoryInUse])
        // The last event may have been on its way to the disk.
        let ledger = await harness.ledger
        #expect(ledger.accepted == 4)
        #expect(ledger.pending == 4 || ledger.pending == 3 && ledger.dropped == [.bufferFull: 1])
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)
        #expect(await other.engine.flush(timeout: .seconds(5)).isDrained)
        #expect(other.transport.requests.flatMap(\.numbers) == Array(1...ledger.pending))
    }

    @Test func `an event that is being stored when the lock is lost is counted as lost`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let destination = UnlockingDestination(lock: lock)
        let unreachable = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        try await engine.open(
            DeliveryConfiguration(directory: queue.url, destinations: [destination], transport: unreachable)
        )
        let lane = engine.lane(destination.lane)
        for _ in 1...3 { lane.track("viewed", parameters: [:]) }
        await engine.storeBuffered()

        let receipt = await lane.trackUntilStored("unlocking", parameters: [:])
        await engine.storeBuffered()

        #expect(receipt.dropReason == .bufferFull)
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.accepted == 4)
        #expect(ledger.pending == 3)
        #expect(ledger.dropped == [.bufferFull: 1])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `an engine whose lock file was replaced and locked sends nothing until the other process ends`()
        async throws
    {
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()
        harness.track(1...3)
        await harness.transport.requests(count: 1)
        await harness.engine.storeBuffered()
        // The rename replaces the lock file in one step by another, locked file.
        let elsewhere = try TemporaryQueue()
        let other = try OutboxDirectory(elsewhere.url).lock()
        try #require(unsafe rename(elsewhere.url.appending(path: "lock").path, lock.path) == 0)
        harness.transport.setScript { _, _ in .status(200) }
        let before = harness.transport.requests.count
        await harness.engine.storeBuffered()
        harness.track(4...5)
        await harness.engine.storeBuffered()
        let report = await harness.engine.flush(timeout: .zero)

        #expect(report.lanes.map(\.outcome) == [.storageUnavailable(.directoryInUse)])
        #expect(harness.transport.requests.count == before)
        #expect(harness.engine.unstoredCount == 2)
        other.release()
        #expect(await harness.engine.flush(timeout: .seconds(5)).isDrained)
        #expect(harness.transport.requests.dropFirst(before).flatMap(\.numbers) == [1, 2, 3, 4, 5])
        try await LedgerCheck.check(harness.engine)
    }

    #if os(Linux)
    @Test(arguments: LockSystemCall.allCases)
    func `on a file system without locks events are delivered from memory, and decisions throw`(
        call: LockSystemCall
    ) async throws {
        await #expect(processExitsWith: .success) { [path = queue.url.path as String, call = call as LockSystemCall] in
            try call.refuse()
            let harness = LaneHarness(directory: URL(filePath: path))
            var diagnostics = harness.engine.diagnostics().makeAsyncIterator()

            try await harness.open()
            harness.track(1...3)

            let error = OutboxError.notLockable(code: ENOLCK)
            let diagnostic = await diagnostics.next()
            try #require(diagnostic == .storageFailed(error))
            let report = await harness.engine.flush(timeout: .seconds(5))
            try #require(report.isDrained)
            try #require(harness.transport.requests.flatMap(\.numbers) == [1, 2, 3])
            await #expect(throws: DecisionError.notStored(error)) {
                try await harness.engine.setConsent(.denied, for: .analytics)
            }
            try await LedgerCheck.check(harness.engine)
            await harness.engine.close(timeout: .zero)
        }

        #expect(queue.files == ["lock"])
    }
    #endif
}

/// A destination that deletes the lock file while it encodes an event named `unlocking`.
private struct UnlockingDestination: DestinationWrapper {
    let base: any Destination = LineDestination()
    let lock: URL

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        if event.name == "unlocking" { try? FileManager.default.removeItem(at: lock) }
        try base.encode(event, into: &encoder)
    }
}
