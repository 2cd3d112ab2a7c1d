import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

@Suite(.timeLimit(.minutes(5))) struct StoredConsentTests {
    private let widget = LineDestination(lane: LaneID(product: "T", service: "widget"), purpose: .marketing)
    private let owed = StoredDecision(purpose: "analytics", consent: "denied", number: 1, owesPurge: true)

    @Test func `a denial says that a file of a newer version may hold what it cannot delete`() async throws {
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("NEWER", in: queue.url, owed)
        try queue.execute("PRAGMA user_version = 99")
        let engine = try await GrantedEngine.open(queue.url, ScriptedTransport())

        await #expect(throws: OutboxError.newerVersion(99)) { try await engine.setConsent(.denied, for: .analytics) }
        try await engine.setConsent(.granted, for: .analytics)
        GrantedEngine.track("LATER", by: engine)

        #expect(await engine.flush(deadline: .seconds(30)).isDrained)
        await engine.close(deadline: .zero)
    }

    @Test(arguments: [OutboxError.ForeignTrait.owner, .links, .permissions])
    func `a denial names a queue that is not this user's own, and deletes its events once it is`(
        trait: OutboxError.ForeignTrait
    ) async throws {
        // Only root can give a file away.
        guard geteuid() == 0 || trait != .owner else { return }
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("FOREIGN", in: queue.url)
        let path = queue.path
        let link = queue.url.appending(path: "link").path
        switch trait {
        case .owner: try #require(unsafe chown(path, 65_534, 65_534) == 0)
        case .links: try FileManager.default.linkItem(atPath: path, toPath: link)
        default: try #require(unsafe chmod(path, 0o622) == 0)
        }
        let engine = DeliveryEngine(clock: TestClock())
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(GrantedEngine.configuration(queue.url))

        await #expect(throws: OutboxError.foreign(trait)) { try await engine.setConsent(.denied, for: .analytics) }

        #expect(try queue.contents().contains("FOREIGN"))
        #expect(await diagnostics.next { $0 == .storageFailed(.foreign(trait)) } != nil)
        await engine.close(deadline: .zero)
        switch trait {
        case .owner: try #require(unsafe chown(path, geteuid(), getegid()) == 0)
        case .links: try FileManager.default.removeItem(atPath: link)
        default: try #require(unsafe chmod(path, 0o600) == 0)
        }
        let next = try await GrantedEngine.open(queue.url)
        #expect(try !queue.contents().contains("FOREIGN"))
        await next.close(deadline: .zero)
    }

    @Test func `a denial that is said while an earlier word is applied still deletes what is stored`() {
        let buffer = EventBuffer(clock: TestClock(), eventTime: nil, capacity: 100)
        let configuration = GrantedEngine.configuration(nil, ScriptedTransport())
        let books = LaneBooks(buffer: buffer, diagnostics: DiagnosticStream(), configuration: configuration)
        let consent = StoredConsent(books, configuration: configuration)
        let erasures = StoredErasures(books)
        let writer = BufferWriter(books, consent: consent, erasures: erasures, configuration: configuration)
        for destination in configuration.destinations { _ = books.lanes.index(of: destination.lane) }
        consent.restore(ConsentFile.Decisions(), after: nil)
        books.takeUp(OpenedDirectory())
        buffer.open(limits: configuration.limits, sessionTimeout: nil, deviceID: "")
        buffer.lane(LineDestination().lane).track("viewed", parameters: [:])
        writer.persistBuffered()

        buffer.say(.denied, about: .analytics)
        // The end of another turn, which comes upon a word that it has not applied.
        consent.accept(buffer.withLanes { $0.lastWords })
        consent.applyLast()

        #expect(books.lanes[0].consent.consent == .denied)
        #expect(books.lanes[0].usage.totalEvents == 0)
        #expect(books.lanes[0].stored.ledger.dropped == [.consentDenied: 1])
    }

    @Test(arguments: [[Consent.denied], [.denied, .granted]])
    func `a denial deletes what an earlier run has left for a service that this app does not have`(
        words: [Consent]
    ) async throws {
        let queue = try TemporaryQueue()
        try await leaveOfWidget("REFUSED", in: queue.url)
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))

        for word in words { buffer.say(word, about: .marketing) }
        try await store.applyConsent(after: .denied, about: .marketing)

        #expect(try !queue.contents().contains("REFUSED"))
        #expect(await store.storedEvents()[widget.lane]?.ledger.dropped == [.consentDenied: 1])
        await store.stop()
    }

    @Test func `a denial that could not delete what is stored does so once the storage is resumed`() async throws {
        let queue = try TemporaryQueue()
        try await leaveOfWidget("REFUSED", in: queue.url)
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))
        await store.suspendStorage()

        buffer.say(.denied, about: .marketing)
        await #expect(throws: OutboxError.notStored(.suspended)) {
            try await store.applyConsent(after: .denied, about: .marketing)
        }
        await store.resumeStorage()

        #expect(try !queue.contents().contains("REFUSED"))
        let stored = try ConsentFile.read(in: OutboxDirectory(queue.url))
        #expect(stored.filter { $0.purpose == "marketing" }.map(\.owesPurge) == [false])
        await store.stop()
    }

    @Test func `a grant takes effect once a denial that the file had missed could be applied`() async throws {
        let queue = try TemporaryQueue()
        let granted = StoredDecision(purpose: "analytics", consent: "granted", number: 2, owesPurge: false, denial: 1)
        try await GrantedEngine.leave("BEFORE", in: queue.url, granted)
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        let clock = TestClock()
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url), clock: clock)
        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(61))

        await store.persistAll(barrier: true)
        _ = await store.nextStep(lane: 0)
        buffer.lane(LineDestination().lane).track("viewed", parameters: ["canary": "LATER"])
        await store.persistAll(barrier: true)

        #expect(try await store.firstLedger() == (1, [.consentDenied: 3]))
        #expect(try !queue.contents().contains("BEFORE"))
        await store.stop()
    }

    /// Leaves an event of another process, for a service that the app does not have.
    private func leaveOfWidget(_ canary: String, in directory: URL) async throws {
        let engine = try await GrantedEngine.open(directory, nil, [widget])
        engine.lane(widget.lane).track("viewed", parameters: ["canary": .string(canary)])
        await engine.close(deadline: .zero)
    }
}
