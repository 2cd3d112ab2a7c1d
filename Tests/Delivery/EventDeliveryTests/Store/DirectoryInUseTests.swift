import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

/// A second process on a directory: it waits until the first one has given the directory up.
@Suite(.timeLimit(.minutes(5))) struct DirectoryInUseTests {
    private let queue: TemporaryQueue
    private let lane = LineDestination().lane

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test func `a second process stores and sends nothing, says so, and delivers once the directory is free`()
        async throws
    {
        let first = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await first.open()
        let second = LaneHarness(directory: queue.url)
        var diagnostics = second.engine.diagnostics().makeAsyncIterator()
        try await second.open()

        second.track(1...3)
        let waiting = await second.engine.flush(deadline: .zero)
        let statistics = await second.engine.statistics()
        #expect(await diagnostics.next() == .storageFailed(.directoryInUse))
        #expect(!waiting.isDrained)
        #expect(statistics.map(\.storageFailure) == [.directoryInUse])
        #expect(statistics.map(\.ledger.pending) == [3])
        #expect(second.engine.unstoredCount == 3)
        #expect(second.engine.identity.deviceID.isEmpty)
        try await LedgerCheck.check(second.engine)
        await first.engine.close(deadline: .zero)
        let report = await second.engine.flush(deadline: .seconds(5))

        #expect(report.isDrained)
        #expect(second.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(await diagnostics.next() == .storageRecovered)
        #expect(second.engine.identity.deviceID.count == 32)
        try await LedgerCheck.check(second.engine)
    }

    @Test func `a process that waits tries the lock each second while it has events`() async throws {
        let first = LaneHarness(directory: queue.url)
        try await first.open()
        let second = LaneHarness(directory: queue.url)
        try await second.open()

        async let id = second.store(1)
        while second.engine.unstoredCount == 0 { await Task.yield() }
        await first.engine.close(deadline: .zero)
        while second.engine.unstoredCount > 0 {
            second.clock.advance(by: .seconds(1))
            await Task.yield()
        }

        let receipt = await id
        #expect(await second.engine.explain(receipt) != nil)
    }

    @Test func `it delivers what the first process has left, and its own events after a close are counted as lost`()
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

        let closed = await third.engine.close(deadline: .zero)
        await first.engine.close(deadline: .zero)
        let report = await second.engine.flush(deadline: .seconds(5))

        #expect(closed.lanes.map(\.lost) == [[.closed: 2]])
        #expect(await third.ledger.dropped == [.closed: 2])
        #expect(report.isDrained)
        #expect(second.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4])
        try await LedgerCheck.check(second.engine)
    }

    @Test func `its denial holds at once, throws, and is applied with the lock`() async throws {
        let first = try await GrantedEngine.open(queue.url)
        GrantedEngine.track("BEFORE", by: first)
        let second = try await GrantedEngine.open(queue.url)
        GrantedEngine.track("BUFFERED", by: second)

        await #expect(throws: OutboxError.notStored(.directoryInUse)) {
            try await second.setConsent(.denied, for: .analytics)
        }
        GrantedEngine.track("LATER", by: second)
        #expect(second.lane(lane).isConsentDenied)
        #expect(second.unstoredCount == 0)
        await first.close(deadline: .zero)
        await second.persist()

        #expect(try ConsentFile.read(in: OutboxDirectory(queue.url)).map(\.consent) == ["denied"])
        #expect(await second.statistics().map(\.ledger.dropped) == [[.consentDenied: 9]])
        for canary in ["BEFORE", "BUFFERED", "LATER"] { #expect(try !queue.contents().contains(canary)) }
        await second.close(deadline: .zero)
    }

    @Test(arguments: [[Consent.denied], [.denied, .granted]])
    func `a denial that the first process has stored reaches the buffered events, also against a grant here`(
        words: [Consent]
    ) async throws {
        let first = try await GrantedEngine.open(queue.url)
        let transport = ScriptedTransport()
        let second = try await GrantedEngine.open(queue.url, transport)
        GrantedEngine.track("BEFORE", by: second)
        await #expect(throws: OutboxError.notStored(.directoryInUse)) {
            try await second.setConsent(.granted, for: .analytics)
        }

        for word in words { try await first.setConsent(word, for: .analytics) }
        await first.close(deadline: .zero)
        await second.persist()
        GrantedEngine.track("LATER", by: second)
        _ = await second.flush(deadline: .seconds(5))

        let sent = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(!sent.contains("BEFORE"))
        #expect(sent.contains("LATER") == (words.last == .granted))
        #expect(await second.statistics().first?.consent == words.last)
        await second.close(deadline: .zero)
    }

    @Test func `a denial of an earlier run refuses what was tracked before a grant of a process that waits`()
        async throws
    {
        let denied = try await GrantedEngine.open(queue.url)
        try await denied.setConsent(.denied, for: .analytics)
        await denied.close(deadline: .zero)
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(DeliveryConfiguration(directory: queue.url, destinations: [LineDestination()]))
        let transport = ScriptedTransport()
        let second = DeliveryEngine(clock: TestClock())
        try await second.open(
            DeliveryConfiguration(directory: queue.url, destinations: [LineDestination()], transport: transport)
        )

        GrantedEngine.track("REFUSED", by: second)
        try? await second.setConsent(.granted, for: .analytics)
        GrantedEngine.track("LATER", by: second)
        await first.close(deadline: .zero)
        #expect(await second.flush(deadline: .seconds(5)).isDrained)

        let sent = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(!sent.contains("REFUSED"))
        #expect(sent.contains("LATER"))
        await second.close(deadline: .zero)
    }

    @Test(arguments: [false, true])
    func `an erasure of one process reaches the events of the other one`(isOfFirst: Bool) async throws {
        let (first, transport) = (try await GrantedEngine.open(queue.url), ScriptedTransport())
        let second = try await GrantedEngine.open(queue.url, transport)
        for engine in [first, second] {
            engine.identify(user: "ali")
            GrantedEngine.track("ERASED", by: engine)
            engine.clearUser()
            GrantedEngine.track("KEPT", by: engine)
        }
        await first.persist()

        if isOfFirst {
            #expect(try await first.erase(user: "ali") == 3)
        } else {
            await #expect(throws: OutboxError.directoryInUse) { try await second.erase(user: "ali") }
        }
        await first.close(deadline: .zero)
        #expect(await second.flush(deadline: .seconds(5)).isDrained)

        let sent = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(!sent.contains("ERASED"))
        #expect(sent.matches(of: /KEPT/).count == 6)
        #expect(try !queue.contents().contains("ERASED"))
        await second.close(deadline: .zero)
    }

    @Test func `queue files of an earlier layout are told of once, and stay as they are`() async throws {
        let path = queue.url.appending(path: "queue-0190.db").path
        try Data("earlier".utf8).write(to: URL(filePath: path))
        let harness = LaneHarness(directory: queue.url)
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()

        try await harness.open()
        harness.track(1...2)

        #expect(await diagnostics.next() == .earlierLayout)
        #expect(await harness.engine.flush(deadline: .seconds(5)).isDrained)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "earlier")
    }

    @Test func `an engine whose lock was deleted takes another one, and goes on with all its events`() async throws {
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()
        harness.track(1...3)
        await harness.engine.persist()

        try FileManager.default.removeItem(at: queue.url.appending(path: "lock"))
        harness.track([4])
        await harness.engine.persist()
        let other = LaneHarness(directory: queue.url)
        try await other.open()

        #expect(await other.engine.statistics().map(\.storageFailure) == [.directoryInUse])
        await harness.engine.close(deadline: .zero)
        #expect(await other.engine.flush(deadline: .seconds(5)).isDrained)
        #expect(other.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4])
    }

    @Test func `an erasure that could not be stored is stored as soon as it can be, once`() async throws {
        let engine = try await GrantedEngine.open(queue.url)
        engine.identify(user: "ali")
        GrantedEngine.track("ERASED", by: engine)
        await engine.suspendStorage()

        await #expect(throws: OutboxError.suspended) { try await engine.erase(user: "ali") }
        await engine.resumeStorage()
        await engine.persist()

        let stored = try ErasureFile.read(in: OutboxDirectory(queue.url))
        #expect(stored.map(\.user) == [UserHash(userID: "ali")])
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.erased: 3]])
        await engine.close(deadline: .zero)
    }

    @Test func `an erasure whose list cannot be replaced for now is stored later`() async throws {
        let engine = try await GrantedEngine.open(queue.url)
        engine.identify(user: "ali")
        GrantedEngine.track("ERASED", by: engine)
        await engine.persist()
        let list = queue.url.appending(path: "erasures")
        try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)

        await #expect(throws: OutboxError.self) { try await engine.erase(user: "ali") }
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.erased: 3]])
        try FileManager.default.removeItem(at: list)
        GrantedEngine.track("LATER", by: engine)
        for _ in 1...2 { await engine.persist() }

        let stored = try ErasureFile.read(in: OutboxDirectory(queue.url))
        #expect(stored.map(\.user) == [UserHash(userID: "ali")])
        #expect(await engine.statistics().map(\.ledger.pending) == [3])
        await engine.close(deadline: .zero)
    }
}
