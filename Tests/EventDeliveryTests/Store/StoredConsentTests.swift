import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

@Suite struct StoredConsentTests {
    private let widget = LineDestination(lane: LaneID(product: "T", service: "widget"), purpose: .marketing)
    private let unreachable = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
    private let owed = ConsentFile.Word(purpose: "analytics", consent: "denied", number: 1, owesPurge: true)

    @Test func `a purge that an earlier run owed is made once, and what was stored since stays`() async throws {
        let queue = try TemporaryQueue()
        let first = try await open(queue.url, unreachable)
        track("OWED", by: first)
        await first.close(deadline: .zero)
        // That run was killed between its word and the purge.
        try ConsentFile.write([owed], in: OutboxDirectory(queue.url))

        let second = try await open(queue.url, unreachable)
        let stored = try ConsentFile.read(in: OutboxDirectory(queue.url))
        track("LATER", by: second)
        await second.close(deadline: .zero)
        let transport = ScriptedTransport()
        let third = try await open(queue.url, transport)
        let report = await third.flush(deadline: .seconds(30))

        #expect(stored.map(\.owesPurge) == [false])
        #expect(report.isDrained)
        let sent = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(sent.matches(of: /LATER/).count == 3)
        #expect(!sent.contains("OWED"))
        #expect(await third.statistics().first?.ledger.dropped == [.consentDenied: 3])
        try await LedgerCheck.check(third)
        await third.close(deadline: .zero)
    }

    @Test func `a purge that is owed in a file which cannot be read is made once it can, and sending goes on`()
        async throws
    {
        let queue = try TemporaryQueue()
        try await leave("OWED", in: queue.url, owed)
        DiskFaults.set(.read(EIO, 4_096..<off_t.max), for: queue.url)
        let (clock, transport) = (TestClock(), ScriptedTransport())
        let second = DeliveryEngine(clock: clock)
        var diagnostics = second.diagnostics().makeAsyncIterator()

        try await second.open(configuration(queue.url, transport))
        let before = try ConsentFile.read(in: OutboxDirectory(queue.url))
        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(2))
        let adopted = await diagnostics.next { if case .adopted = $0 { true } else { false } }
        track("LATER", by: second)
        let report = await second.flush(deadline: .seconds(30))

        #expect(before.map(\.owesPurge) == [true])
        #expect(adopted != nil)
        #expect(report.isDrained)
        try await expectOnlyLater(transport, second, in: queue.url)
    }

    @Test(arguments: [nil, Consent.granted, .denied])
    func `what is owed in a directory that cannot be opened at first is deleted before anything of it is sent`(
        word: Consent?
    ) async throws {
        let place = try BlockedPlace()
        try await leave("OWED", in: place.aside, owed)
        let transport = ScriptedTransport()
        let second = try await open(place.directory, transport)
        // What cannot be stored yet is said all the same.
        if let word { await #expect(throws: OutboxError.self) { try await second.setConsent(word, for: .analytics) } }

        try place.putAsideInPlace()
        await second.persist()
        if word == .denied { try await second.setConsent(.granted, for: .analytics) }
        track("LATER", by: second)
        let report = await second.flush(deadline: .seconds(30))

        #expect(report.isDrained)
        try await expectOnlyLater(transport, second, in: place.directory)
    }

    @Test func `a denial of an earlier run holds once its directory can be opened`() async throws {
        let place = try BlockedPlace()
        try await leave("REFUSED", in: place.aside, owed)
        let transport = ScriptedTransport()
        let second = DeliveryEngine(clock: TestClock())
        var configuration = configuration(place.directory, transport)
        configuration.consent = [:]
        try await second.open(configuration)

        try place.putAsideInPlace()
        await second.persist()
        track("LATER", by: second)
        _ = await second.flush(deadline: .zero)

        #expect(second.lane(LineDestination().lane).isConsentDenied)
        #expect(transport.requests.isEmpty)
        await second.close(deadline: .zero)
    }

    @Test func `what is tracked after a grant stays where the directory can be opened only later`() async throws {
        let place = try BlockedPlace()
        try await leave("OWED", in: place.aside)
        let clock = TestClock()
        let (intake, store) = await DeliveryStore.open(configuration(place.directory, unreachable), clock: clock)
        for word in [Consent.denied, .granted] {
            intake.say(word, about: .analytics)
            await #expect(throws: OutboxError.self) { try await store.applyConsent(after: word, about: .analytics) }
        }
        intake.lane(LineDestination().lane).track("viewed", parameters: ["canary": "LATER"])
        await store.persistAll(barrier: false)

        try place.putAsideInPlace()
        clock.advance(by: .seconds(61))
        await store.persistAll(barrier: true)

        let ledger = try #require(await store.statistics().first).ledger
        #expect((ledger.pending, ledger.dropped) == (1, [.consentDenied: 3]))
        await store.stop()
    }

    @Test func `a denial says that a file of a newer version may hold what it cannot delete`() async throws {
        let queue = try TemporaryQueue()
        try await leave("NEWER", in: queue.url, owed)
        let connection = try SQLiteConnection(path: queue.queues[0])
        try connection.execute("PRAGMA user_version = 99")
        connection.close()
        let engine = try await open(queue.url, ScriptedTransport())

        await #expect(throws: OutboxError.newerVersion(99)) { try await engine.setConsent(.denied, for: .analytics) }
        try await engine.setConsent(.granted, for: .analytics)
        track("LATER", by: engine)

        #expect(await engine.flush(deadline: .seconds(30)).isDrained)
        await engine.close(deadline: .zero)
    }

    @Test func `a denial that is said while an earlier word is applied still deletes what is stored`() {
        let intake = Intake(clock: TestClock(), eventTime: nil, capacity: 100)
        let configuration = configuration(nil, ScriptedTransport())
        let books = LaneBooks(intake: intake, diagnostics: DiagnosticStream(), configuration: configuration)
        let consent = StoredConsent(books, configuration: configuration)
        let erasures = StoredErasures(books)
        let writer = BufferWriter(books, consent: consent, erasures: erasures, configuration: configuration)
        consent.takeUp()
        books.open(configuration.destinations)
        intake.open(limits: configuration.limits, sessionTimeout: nil, deviceID: "")
        intake.lane(LineDestination().lane).track("viewed", parameters: [:])
        writer.persistBuffered()

        intake.say(.denied, about: .analytics)
        // The end of another turn, which comes upon a word that it has not applied.
        consent.accept(intake.withLanes { $0.lastWords })
        consent.applyLast()

        #expect(books.lanes[0].consent.consent == .denied)
        #expect(books.lanes[0].usage.totalEvents == 0)
        #expect(books.lanes[0].stored.ledger.dropped == [.consentDenied: 1])
    }

    @Test func `what a process tracked after a grant stays where another takes it over that has not learnt of it yet`()
        async throws
    {
        let queue = try TemporaryQueue()
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable))
        for _ in 1...3 { intake.lane(LineDestination().lane).track("viewed", parameters: ["canary": "BEFORE"]) }
        await store.persistAll(barrier: true)
        let ended = try await open(queue.url, unreachable)
        for word in [Consent.denied, .granted] { try await ended.setConsent(word, for: .analytics) }
        track("LATER", by: ended)
        await ended.close(deadline: .zero)

        _ = await store.nextStep(lane: 0)

        let ledger = try #require(await store.statistics().first).ledger
        #expect((ledger.pending, ledger.dropped) == (3, [.consentDenied: 3]))
        #expect(try queue.contents().contains("LATER"))
        #expect(try !queue.contents().contains("BEFORE"))
        await store.stop()
    }

    @Test(arguments: [[Consent.denied], [.denied, .granted]], [true, false])
    func `a denial deletes what another process has left for a service that this app does not have`(
        words: [Consent],
        isOwn: Bool
    ) async throws {
        let queue = try TemporaryQueue()
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable))
        try await leaveOfWidget("REFUSED", in: queue.url)

        if isOwn {
            for word in words { intake.say(word, about: .marketing) }
            try await store.applyConsent(after: .denied, about: .marketing)
        } else {
            // It has taken the file over by then.
            _ = intake.erase(UserMark(userID: "ali"))
            _ = try await store.erase()
            #expect(await store.storedEvents()[widget.lane]?.pending == 1)
            let other = try await open(queue.url, unreachable)
            for word in words { try await other.setConsent(word, for: .marketing) }
            await other.close(deadline: .zero)
            _ = await store.nextStep(lane: 0)
        }

        #expect(try !queue.contents().contains("REFUSED"))
        #expect(await store.storedEvents()[widget.lane]?.ledger.dropped == [.consentDenied: 1])
        await store.stop()
    }

    @Test func `a denial that could not look for what is left does so once the storage is resumed`() async throws {
        let queue = try TemporaryQueue()
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable))
        try await leaveOfWidget("REFUSED", in: queue.url)
        await store.suspendStorage()

        intake.say(.denied, about: .marketing)
        await #expect(throws: OutboxError.suspended) {
            try await store.applyConsent(after: .denied, about: .marketing)
        }
        await store.resumeStorage()

        #expect(try !queue.contents().contains("REFUSED"))
        let stored = try ConsentFile.read(in: OutboxDirectory(queue.url))
        #expect(stored.filter { $0.purpose == "marketing" }.map(\.owesPurge) == [false])
        await store.stop()
    }

    @Test func `what an earlier version has left is deleted where its purge is owed, though agreed again by then`()
        async throws
    {
        let queue = try TemporaryQueue()
        let granted = ConsentFile.Word(purpose: "analytics", consent: "granted", number: 2, owesPurge: true, denial: 1)
        try await leave("OWED", in: queue.url, granted)
        let connection = try SQLiteConnection(path: queue.queues[0])
        try connection.execute("DELETE FROM meta WHERE key = 'erased'")
        connection.close()
        DiskFaults.set(.read(EIO, 4_096..<off_t.max), for: queue.url)
        let clock = TestClock()
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable), clock: clock)
        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(3))

        intake.say(.granted, about: .marketing)
        try await store.applyConsent(after: .granted, about: .marketing)

        let ledger = try #require(await store.statistics().first).ledger
        #expect((ledger.pending, ledger.dropped) == (0, [.consentDenied: 3]))
        #expect(try !queue.contents().contains("OWED"))
        await store.stop()
    }

    @Test func `a grant takes effect once an erasure has made what a denial still owed reachable`() async throws {
        let queue = try TemporaryQueue()
        try await leave("BEFORE", in: queue.url)
        DiskFaults.set(.read(EIO, 4_096..<off_t.max), for: queue.url)
        let clock = TestClock()
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable), clock: clock)
        for word in [Consent.denied, .granted] {
            intake.say(word, about: .analytics)
            await #expect(throws: OutboxError.self) { try await store.applyConsent(after: word, about: .analytics) }
        }
        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(3))

        _ = intake.erase(UserMark(userID: "ali"))
        _ = try await store.erase()
        intake.lane(LineDestination().lane).track("viewed", parameters: ["canary": "LATER"])
        await store.persistAll(barrier: true)

        let ledger = try #require(await store.statistics().first).ledger
        #expect((ledger.pending, ledger.dropped) == (1, [.consentDenied: 3]))
        await store.stop()
    }

    @Test func `a grant takes effect once a denial that the file had missed could be applied`() async throws {
        let queue = try TemporaryQueue()
        let granted = ConsentFile.Word(purpose: "analytics", consent: "granted", number: 2, owesPurge: false, denial: 1)
        try await leave("BEFORE", in: queue.url, granted)
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        let clock = TestClock()
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable), clock: clock)
        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(61))

        await store.persistAll(barrier: true)
        _ = await store.nextStep(lane: 0)
        intake.lane(LineDestination().lane).track("viewed", parameters: ["canary": "LATER"])
        await store.persistAll(barrier: true)

        let ledger = try #require(await store.statistics().first).ledger
        #expect((ledger.pending, ledger.dropped) == (1, [.consentDenied: 3]))
        #expect(try !queue.contents().contains("BEFORE"))
        await store.stop()
    }

    @Test func `what was tracked after a grant stays, though a denial before it is still owed at the next start`()
        async throws
    {
        let queue = try TemporaryQueue()
        try await leave("BEFORE", in: queue.url)
        DiskFaults.set(.read(EIO, 4_096..<off_t.max), for: queue.url)
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable))
        for word in [Consent.denied, .granted] {
            intake.say(word, about: .analytics)
            await #expect(throws: OutboxError.self) { try await store.applyConsent(after: word, about: .analytics) }
        }
        DiskFaults.set(nil, for: queue.url)
        intake.lane(LineDestination().lane).track("viewed", parameters: ["canary": "LATER"])
        await store.stop()
        let owed = try ConsentFile.read(in: OutboxDirectory(queue.url))

        let (_, next) = await DeliveryStore.open(configuration(queue.url, unreachable))

        let ledger = try #require(await next.statistics().first).ledger
        #expect(owed.map(\.owesPurge) == [true])
        #expect((ledger.pending, ledger.dropped) == (1, [.consentDenied: 3]))
        #expect(try !queue.contents().contains("BEFORE"))
        #expect(try ConsentFile.read(in: OutboxDirectory(queue.url)).map(\.owesPurge) == [false])
        await next.stop()
    }

    /// Leaves an event of another process, for a service that the app does not have.
    private func leaveOfWidget(_ canary: String, in directory: URL) async throws {
        let engine = try await open(directory, unreachable, [widget])
        engine.lane(widget.lane).track("viewed", parameters: ["canary": .string(canary)])
        await engine.close(deadline: .zero)
    }

    /// Leaves events of an earlier run, and a word that it was killed after.
    private func leave(_ canary: String, in directory: URL, _ word: ConsentFile.Word? = nil) async throws {
        let first = try await open(directory, unreachable)
        track(canary, by: first)
        await first.close(deadline: .zero)
        if let word { try ConsentFile.write([word], in: OutboxDirectory(directory)) }
    }

    private func expectOnlyLater(_ transport: ScriptedTransport, _ engine: DeliveryEngine, in directory: URL)
        async throws
    {
        let sent = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(sent.matches(of: /LATER/).count == 3)
        #expect(!sent.contains("OWED"))
        #expect(try ConsentFile.read(in: OutboxDirectory(directory)).map(\.owesPurge) == [false])
        #expect(await engine.statistics().first?.ledger.dropped == [.consentDenied: 3])
        try await LedgerCheck.check(engine)
        await engine.close(deadline: .zero)
    }

    private func track(_ canary: String, by engine: DeliveryEngine) {
        for number in 1...3 {
            let parameters: EventParameters = ["canary": .string(canary), "n": .int(number)]
            engine.lane(LineDestination().lane).track("viewed", parameters: parameters)
        }
    }

    private func open(
        _ directory: URL,
        _ transport: ScriptedTransport,
        _ destinations: [any Destination] = [LineDestination()]
    ) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, transport, destinations))
        return engine
    }

    private func configuration(
        _ directory: URL?,
        _ transport: ScriptedTransport,
        _ destinations: [any Destination] = [LineDestination()]
    ) -> DeliveryConfiguration {
        DeliveryConfiguration(
            directory: directory,
            destinations: destinations,
            transport: transport,
            consent: [.analytics: .granted]
        )
    }
}
