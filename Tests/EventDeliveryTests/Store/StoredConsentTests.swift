import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

@Suite struct StoredConsentTests {
    private let owed = ConsentFile.Word(purpose: "analytics", consent: "denied", number: 1, owesPurge: true)

    @Test func `a purge that an earlier run owed is made once, and what was stored since stays`() async throws {
        let queue = try TemporaryQueue()
        let unreachable = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
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
        try await leave("OWED", in: queue.url)
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
        try await leave("OWED", in: place.aside)
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
        try await leave("REFUSED", in: place.aside)
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

    @Test func `a denial says that a file of a newer version may hold what it cannot delete`() async throws {
        let queue = try TemporaryQueue()
        try await leave("NEWER", in: queue.url)
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

    /// Leaves events of an earlier run that was killed between the word that refuses them and the purge.
    private func leave(_ canary: String, in directory: URL) async throws {
        let first = try await open(directory, ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) })
        track(canary, by: first)
        await first.close(deadline: .zero)
        try ConsentFile.write([owed], in: OutboxDirectory(directory))
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

    private func open(_ directory: URL, _ transport: ScriptedTransport) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, transport))
        return engine
    }

    private func configuration(_ directory: URL, _ transport: ScriptedTransport) -> DeliveryConfiguration {
        DeliveryConfiguration(
            directory: directory,
            destinations: [LineDestination()],
            transport: transport,
            consent: [.analytics: .granted]
        )
    }
}
