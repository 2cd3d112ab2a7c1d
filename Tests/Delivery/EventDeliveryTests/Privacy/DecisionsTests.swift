import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of decisions and the stored events that they cover.
@Suite(.timeLimit(.minutes(5))) struct DecisionsTests {
    private let queue: TemporaryQueue
    private let widget = LineDestination(lane: LaneID(product: "T", service: "widget"), purpose: .marketing)

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test func `a stored denial beats a grant in the configuration`() async throws {
        try await GrantedEngine.leave("REFUSED", in: queue.url)
        let second = try await GrantedEngine.open(queue.url)
        try await second.setConsent(.denied, for: .analytics)
        await second.close(timeout: .zero)

        let transport = ScriptedTransport()
        let third = try await GrantedEngine.open(queue.url, transport)
        GrantedEngine.track("LATER", by: third)
        _ = await third.flush(timeout: .seconds(30))

        #expect(await third.statistics().map(\.consent) == [.denied])
        #expect(transport.requests.isEmpty)
        await third.close(timeout: .zero)
    }

    @Test func `decisions throw if the file has a newer version, and events are delivered from memory`() async throws {
        try await GrantedEngine.leave("NEWER", in: queue.url)
        try queue.execute("PRAGMA user_version = 99")
        let bytes = try Data(contentsOf: URL(filePath: queue.path))
        let transport = ScriptedTransport()
        let engine = try await GrantedEngine.open(queue.url, transport)

        for decision in [Consent.denied, .granted] {
            await #expect(throws: DecisionError.notStored(.newerVersion(99))) {
                try await engine.setConsent(decision, for: .analytics)
            }
            #expect(engine.lane(LineDestination().lane).isConsentDenied == (decision == .denied))
        }
        GrantedEngine.track("LATER", by: engine)

        #expect(await engine.flush(timeout: .seconds(30)).isDrained)
        #expect(transport.sentText.matches(of: /LATER/).count == 3)
        #expect(!transport.sentText.contains("NEWER"))
        await engine.close(timeout: .zero)
        #expect(try Data(contentsOf: URL(filePath: queue.path)) == bytes)
    }

    @Test(arguments: [OutboxError.ForeignTrait.owner, .links, .permissions])
    func `a diagnostic and a denial name a queue file that is not this user's own, and nothing is deleted`(
        trait: OutboxError.ForeignTrait
    ) async throws {
        // Only root can give a file away.
        guard geteuid() == 0 || trait != .owner else { return }
        try await GrantedEngine.leave("FOREIGN", in: queue.url)
        let path = queue.path
        let link = queue.url.appending(path: "link").path
        // A process that was killed has left a log.
        try Data("log".utf8).write(to: URL(filePath: path + "-wal"))
        if trait == .permissions { try #require(unsafe chmod(path + "-wal", 0o666) == 0) }
        switch trait {
        case .owner: try #require(unsafe chown(path, 65_534, 65_534) == 0)
        case .links: try FileManager.default.linkItem(atPath: path, toPath: link)
        default: try #require(unsafe chmod(path, 0o622) == 0)
        }
        let (files, bytes) = (Set(queue.files), try Data(contentsOf: URL(filePath: path)))
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(GrantedEngine.configuration(queue.url, transport))

        await #expect(throws: DecisionError.notStored(.foreign(trait))) {
            try await engine.setConsent(.denied, for: .analytics)
        }

        #expect(await diagnostics.next() == .storageFailed(.foreign(trait)))
        _ = await engine.flush(timeout: .seconds(30))
        await engine.close(timeout: .zero)
        #expect(transport.requests.isEmpty)
        #expect(Set(queue.files) == files)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == Data("log".utf8))
        switch trait {
        case .owner: try #require(unsafe chown(path, geteuid(), getegid()) == 0)
        case .links: try FileManager.default.removeItem(atPath: link)
        default: try #require(unsafe chmod(path, 0o600) == 0)
        }
        let next = try await GrantedEngine.open(queue.url)
        #expect(await next.statistics().map(\.ledger.pending) == [3])
        await next.close(timeout: .zero)
    }

    @Test(arguments: [[Consent.denied], [.denied, .granted]])
    func `a denial deletes the events of an earlier run's service that this app does not have`(
        decisions: [Consent]
    ) async throws {
        try await leaveOfWidget("REFUSED")
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))

        let denial = buffer.decide(.denied, about: .marketing)
        for decision in decisions.dropFirst() { buffer.decide(decision, about: .marketing) }
        try await store.apply(denial)

        #expect(try !queue.contents().contains("REFUSED"))
        #expect(await store.storedEvents()[widget.lane]?.ledger.dropped == [.consentDenied: 1])
        await store.stop()
    }

    @Test func `a denial that another turn of the store has applied still returns only after the deletion`()
        async throws
    {
        try await GrantedEngine.leave("REFUSED", in: queue.url)
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))

        let denial = buffer.decide(.denied, about: .analytics)
        // The end of another turn applies the decision first.
        _ = await store.chooseStep(lane: 0)
        let isApplied = try await store.firstLedger() == (0, [.consentDenied: 3])
        let isOnDisk = try queue.contents().contains("REFUSED")
        try await store.apply(denial)

        #expect(isApplied && isOnDisk)
        #expect(try !queue.contents().contains("REFUSED"))
        await store.stop()
    }

    @Test func `a thousand erasures that wait together are each counted, and the queue is read once for all`()
        async throws
    {
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(nil))
        let users = (1...1_000).map { "user-\($0)" }
        for _ in 1...20 {
            for user in users {
                buffer.identity.change { $0.setUser(KnownUser(user)) }
                buffer.lane(LineDestination().lane).track("viewed")
                if buffer.unstoredCount == 50 { await store.storeAll(barrier: false) }
            }
        }
        #expect(try await store.firstLedger().pending == 20_000)

        let erasures = users.map { buffer.erase(UserHash(userID: $0)).decision }
        let start = ContinuousClock.now
        var (counts, first): ([Int], Duration) = ([], .zero)
        for erasure in erasures {
            let number = try await store.store(erasure)
            counts.append(try await store.deleteEvents(of: erasure, number: number))
            if counts.count == 1 { first = ContinuousClock.now - start }
        }

        // The first one reads the whole queue. If each of them did, they would take a thousand times as long.
        #expect(ContinuousClock.now - start < first * 100)
        #expect(counts.count { $0 == 20 } == 1_000)
        #expect(try await store.firstLedger() == (0, [.erased: 20_000]))
        await store.stop()
    }

    @Test func `an erasure of all users counts the events that earlier erasures have not removed yet`() async throws {
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(nil))
        var numbers: [PrivacyDecision] = []
        func track(_ user: String) async {
            buffer.identity.change { $0.setUser(KnownUser(user)) }
            buffer.lane(LineDestination().lane).track("viewed")
            await store.storeAll(barrier: false)
        }
        for user in ["a", "b", "b", "c"] { await track(user) }

        for user in ["a", "b", nil, "c"] { numbers.append(buffer.erase(user.map { UserHash(userID: $0) }).decision) }
        buffer.decide(.denied, about: .analytics)
        let last = buffer.erase(UserHash(userID: "d")).decision

        var counts: [Int] = []
        for erasure in numbers + [last] {
            counts.append(try await store.deleteEvents(of: erasure, number: try await store.store(erasure)))
        }
        #expect(counts == [0, 0, 4, 0, 0])
        #expect(try await store.firstLedger() == (0, [.erased: 4]))
        await store.stop()
    }

    @Test func `a denial during a suspension throws, and its events are deleted after the resumption`() async throws {
        try await leaveOfWidget("REFUSED")
        let engine = try await GrantedEngine.open(queue.url)
        await engine.suspendStorage()

        await #expect(throws: DecisionError.notStored(.suspended)) {
            try await engine.setConsent(.denied, for: .marketing)
        }
        await engine.resumeStorage()

        await engine.waitUntilGone("REFUSED", from: queue)
        let state = try #require(try queue.copy().rows().state)
        #expect(state.decisions["marketing"]?.consent == .denied)
        #expect(await engine.storedEvents()[widget.lane]?.ledger.dropped == [.consentDenied: 1])
        await engine.close(timeout: .zero)
    }

    @Test func `an erasure during a suspension throws, and covers the events after the resumption`() async throws {
        let engine = try await GrantedEngine.open(queue.url)
        engine.user.identify("ali")
        GrantedEngine.track("ERASED", by: engine)
        await engine.suspendStorage()

        await #expect(throws: DecisionError.notStored(.suspended)) { try await engine.erase(user: "ali") }
        await engine.resumeStorage()

        await engine.waitUntilGone("ERASED", from: queue)
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.erased: 3]])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    /// Leaves an event of an earlier run, for a service missing from the app.
    private func leaveOfWidget(_ canary: String) async throws {
        let engine = try await GrantedEngine.open(queue.url, nil, [widget])
        engine.lane(widget.lane).track("viewed", parameters: ["canary": .string(canary)])
        await engine.close(timeout: .zero)
    }
}
