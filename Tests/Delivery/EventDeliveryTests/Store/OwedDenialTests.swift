import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

/// Denials that could not reach everything when they were said.
@Suite struct OwedDenialTests {
    private let owed = StoredDecision(purpose: "analytics", consent: "denied", number: 1, owesPurge: true)
    private let owedAndGranted = StoredDecision(
        purpose: "analytics",
        consent: "granted",
        number: 2,
        owesPurge: true,
        denial: 1
    )
    /// Takes away what an earlier version does not write: how far the file is cleared.
    private let removalOfNote = "DELETE FROM meta WHERE key = 'erased'"

    @Test func `a purge that an earlier run owed is made once, and what was stored since stays`() async throws {
        let queue = try TemporaryQueue()
        let first = try await GrantedEngine.open(queue.url)
        GrantedEngine.track("OWED", by: first)
        await first.close(deadline: .zero)
        // That run was killed between its word and the purge.
        try ConsentFile.write([owed], in: OutboxDirectory(queue.url))

        let second = try await GrantedEngine.open(queue.url)
        let stored = try ConsentFile.read(in: OutboxDirectory(queue.url))
        GrantedEngine.track("LATER", by: second)
        await second.close(deadline: .zero)
        let transport = ScriptedTransport()
        let third = try await GrantedEngine.open(queue.url, transport)
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
        try await GrantedEngine.leave("OWED", in: queue.url, owed)
        DiskFaults.set(.read(EIO, 4_096..<off_t.max), for: queue.url)
        let (clock, transport) = (TestClock(), ScriptedTransport())
        let second = DeliveryEngine(clock: clock)

        try await second.open(GrantedEngine.configuration(queue.url, transport))
        let before = try ConsentFile.read(in: OutboxDirectory(queue.url))
        DiskFaults.set(nil, for: queue.url)
        GrantedEngine.track("LATER", by: second)
        let report = await second.flush(deadline: .seconds(30))

        #expect(before.map(\.owesPurge) == [true])
        #expect(report.isDrained)
        try await expectOnlyLater(transport, second, in: queue.url)
    }

    @Test(arguments: [nil, Consent.granted, .denied])
    func `what is owed in a directory that cannot be opened at first is deleted before anything of it is sent`(
        word: Consent?
    ) async throws {
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("OWED", in: queue.url, owed)
        DiskFaults.set(.open(EPERM), for: queue.url)
        let transport = ScriptedTransport()
        let second = try await GrantedEngine.open(queue.url, transport)
        // What cannot be stored yet is said all the same.
        if let word { await #expect(throws: OutboxError.self) { try await second.setConsent(word, for: .analytics) } }

        DiskFaults.set(nil, for: queue.url)
        await second.persist()
        if word == .denied { try await second.setConsent(.granted, for: .analytics) }
        GrantedEngine.track("LATER", by: second)
        let report = await second.flush(deadline: .seconds(30))

        #expect(report.isDrained)
        try await expectOnlyLater(transport, second, in: queue.url)
    }

    @Test func `a denial of an earlier run holds once its directory can be opened`() async throws {
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("REFUSED", in: queue.url, owed)
        DiskFaults.set(.open(EPERM), for: queue.url)
        let transport = ScriptedTransport()
        let second = DeliveryEngine(clock: TestClock())
        var configuration = GrantedEngine.configuration(queue.url, transport)
        configuration.consent = [:]
        try await second.open(configuration)

        DiskFaults.set(nil, for: queue.url)
        await second.persist()
        GrantedEngine.track("LATER", by: second)
        _ = await second.flush(deadline: .zero)

        #expect(second.lane(LineDestination().lane).isConsentDenied)
        #expect(transport.requests.isEmpty)
        await second.close(deadline: .zero)
    }

    @Test(arguments: [[Consent.denied, .granted], [.granted]])
    func `what is tracked after a grant stays where the directory can be opened only later`(words: [Consent])
        async throws
    {
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("OWED", in: queue.url, words.count == 1 ? owedAndGranted : nil)
        DiskFaults.set(.open(EPERM), for: queue.url)
        let clock = TestClock()
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url), clock: clock)
        for word in words {
            buffer.say(word, about: .analytics)
            await #expect(throws: OutboxError.self) { try await store.applyConsent(after: word, about: .analytics) }
        }
        buffer.lane(LineDestination().lane).track("viewed", parameters: ["canary": "LATER"])
        await store.persistAll(barrier: false)

        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(61))
        await store.persistAll(barrier: true)

        #expect(try await store.firstLedger() == (1, [.consentDenied: 3]))
        await store.stop()
    }

    @Test func `what an earlier version has left is deleted where its purge is owed, though agreed again by then`()
        async throws
    {
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("OWED", in: queue.url, owedAndGranted)
        try queue.execute(removalOfNote)
        DiskFaults.set(.read(EIO, 4_096..<off_t.max), for: queue.url)
        let clock = TestClock()
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url), clock: clock)
        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(3))

        buffer.say(.granted, about: .marketing)
        try await store.applyConsent(after: .granted, about: .marketing)

        #expect(try await store.firstLedger() == (0, [.consentDenied: 3]))
        #expect(try !queue.contents().contains("OWED"))
        await store.stop()
    }

    @Test func `what was tracked after a grant stays, though the denial before it is applied only by the stop`()
        async throws
    {
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("BEFORE", in: queue.url)
        let (buffer, store) = try await deniedAndGranted(whileUnreadable: queue)
        buffer.lane(LineDestination().lane).track("viewed", parameters: ["canary": "LATER"])
        await store.stop()
        let owed = try ConsentFile.read(in: OutboxDirectory(queue.url))

        let (_, next) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))

        #expect(owed.map(\.owesPurge) == [false])
        #expect(try await next.firstLedger() == (1, [.consentDenied: 3]))
        #expect(try !queue.contents().contains("BEFORE"))
        #expect(try ConsentFile.read(in: OutboxDirectory(queue.url)).map(\.owesPurge) == [false])
        await next.stop()
    }

    @Test func `an erasure says nothing of the denials that an earlier version's file has missed`() async throws {
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("OWED", in: queue.url, owedAndGranted)
        try queue.execute(removalOfNote)
        let erasure = Erasure(user: UserHash(userID: "veli"), last: EventID(high: .max, low: .max))
        _ = try ErasureFile.add(erasure, in: OutboxDirectory(queue.url))

        let (_, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))

        #expect(try await store.firstLedger() == (0, [.consentDenied: 3]))
        #expect(try !queue.contents().contains("OWED"))
        await store.stop()
    }

    @Test func `bytes of what was deleted stay owed until they are overwritten`() async throws {
        let queue = try TemporaryQueue()
        let first = try await GrantedEngine.open(queue.url)
        for word in [Consent.denied, .granted] { try await first.setConsent(word, for: .analytics) }
        GrantedEngine.track("LATER", by: first)
        await first.close(deadline: .zero)
        // That run was killed after its purge, and before the bytes were overwritten.
        try ConsentFile.write([owedAndGranted], in: OutboxDirectory(queue.url))
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        let clock = TestClock()
        let (_, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url), clock: clock)
        let during = try ConsentFile.read(in: OutboxDirectory(queue.url))

        DiskFaults.set(nil, for: queue.url)
        clock.advance(by: .seconds(61))
        await store.persistAll(barrier: true)

        #expect(during.map(\.owesPurge) == [true])
        #expect(try await store.firstLedger() == (3, [:]))
        #expect(try ConsentFile.read(in: OutboxDirectory(queue.url)).map(\.owesPurge) == [false])
        await store.stop()
    }

    @Test func `a denial reaches a file that knows words which were damaged since`() async throws {
        let queue = try TemporaryQueue()
        let first = try await GrantedEngine.open(queue.url)
        for word in [Consent.denied, .granted, .denied, .granted] { try await first.setConsent(word, for: .analytics) }
        GrantedEngine.track("BEFORE", by: first)
        await first.close(deadline: .zero)
        try Data("?".utf8).write(to: queue.url.appending(path: "consent"))
        let clock = TestClock()
        let (buffer, store) = try await deniedAndGranted(whileUnreadable: queue, clock)
        clock.advance(by: .seconds(3))

        buffer.say(.granted, about: .marketing)
        try await store.applyConsent(after: .granted, about: .marketing)

        #expect(try await store.firstLedger() == (0, [.consentDenied: 3]))
        #expect(try !queue.contents().contains("BEFORE"))
        await store.stop()
    }

    @Test func `a grant takes effect once an erasure has made what a denial still owed reachable`() async throws {
        let queue = try TemporaryQueue()
        try await GrantedEngine.leave("BEFORE", in: queue.url)
        let clock = TestClock()
        let (buffer, store) = try await deniedAndGranted(whileUnreadable: queue, clock)
        clock.advance(by: .seconds(3))

        _ = buffer.erase(UserHash(userID: "ali"))
        _ = try await store.erase()
        buffer.lane(LineDestination().lane).track("viewed", parameters: ["canary": "LATER"])
        await store.persistAll(barrier: true)

        #expect(try await store.firstLedger() == (1, [.consentDenied: 3]))
        await store.stop()
    }

    /// A process that is told of a denial and a grant while the file of an ended one cannot be read.
    private func deniedAndGranted(
        whileUnreadable queue: TemporaryQueue,
        _ clock: TestClock = TestClock()
    ) async throws -> (EventBuffer, DeliveryStore) {
        DiskFaults.set(.read(EIO, 4_096..<off_t.max), for: queue.url)
        let (buffer, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url), clock: clock)
        for word in [Consent.denied, .granted] {
            buffer.say(word, about: .analytics)
            await #expect(throws: OutboxError.self) { try await store.applyConsent(after: word, about: .analytics) }
        }
        DiskFaults.set(nil, for: queue.url)
        return (buffer, store)
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
}
