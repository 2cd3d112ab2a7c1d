import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

/// Erasing what is kept of a user, or of everybody.
@Suite struct StoredErasuresTests {
    private let lines = LineDestination()
    private let other = LineDestination(lane: LaneID(product: "U", service: "other"), purpose: .marketing)
    private let unreachable = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }

    @Test func `a user's events leave no byte on disk, are counted, and those of others stay`() async throws {
        let queue = try TemporaryQueue()
        let engine = try await open(queue.url, unreachable)
        track("ali", 1...50, by: engine)
        track("veli", 1...50, by: engine)
        track(nil, 1...10, by: engine)
        await engine.persist()
        track("ali", 51...55, by: engine)
        #expect(try queue.contents().contains("CANARY-ali"))

        let erased = try await engine.erase(user: "ali")

        #expect(erased == 110)
        #expect(try !queue.contents().contains("CANARY-ali"))
        #expect(try queue.contents().contains("CANARY-veli"))
        let ledgers = await engine.statistics().map(\.ledger)
        #expect(ledgers.map(\.dropped) == [[.erased: 55], [.erased: 55]])
        #expect(ledgers.map(\.pending) == [60, 60])
        try await LedgerCheck.check(engine)
        await engine.close(deadline: .zero)
        let later = ScriptedTransport()
        let next = try await open(queue.url, later)
        #expect(await next.flush(deadline: .seconds(30)).isDrained)
        #expect(bodies(later).matches(of: /CANARY-(\w+)/).count == 120)
        #expect(!bodies(later).contains("CANARY-ali"))
    }

    @Test func `ids are compared by bytes, and what the same user does later stays`() async throws {
        let engine = try await open(nil, unreachable)
        for user in ["caf\u{E9}", "cafe\u{301}", "caf"] { track(user, 1...3, by: engine) }

        let erased = try await engine.erase(user: "caf\u{E9}")
        track("caf\u{E9}", 4...5, by: engine)
        let nobody = try await engine.erase(user: "nobody")
        let ledger = try #require(await engine.statistics().first).ledger

        #expect(erased == 6)
        #expect(nobody == 0)
        #expect(ledger.pending == 8)
        try await LedgerCheck.check(engine)
    }

    @Test func `held and quarantined events go as well, those of a sensitive id too`() async throws {
        let queue = try TemporaryQueue()
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 400)) }
        let engine = try await open(queue.url, transport, consent: [.analytics: .granted, .marketing: .unknown])
        engine.identify(user: Sensitive("ada@example.com"), .drop)
        engine.lane(lines.lane).track("refused", parameters: ["canary": "CANARY-Q"])
        engine.lane(other.lane).track("held", parameters: ["canary": "CANARY-H"])
        engine.clearUser()
        engine.lane(other.lane).track("held", parameters: ["canary": "CANARY-N"])
        _ = await engine.flush(deadline: .seconds(5))
        #expect(await engine.quarantined().count == 1)

        let erased = try await engine.erase(user: Sensitive("ada@example.com"))

        let left = try queue.contents()
        #expect(erased == 2)
        #expect(await engine.quarantined().isEmpty)
        #expect(!left.contains("CANARY-Q") && !left.contains("CANARY-H") && left.contains("CANARY-N"))
        try await LedgerCheck.check(engine)
        await engine.close(deadline: .zero)
    }

    @Test func `a request that carries a user's event is called back, and what it held of others is sent`() async throws
    {
        let transport = ScriptedTransport { _, _ in .hang }
        let engine = DeliveryEngine(clock: TestClock())
        track("ali", 1...2, by: engine)
        track("veli", 1...2, by: engine)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [lines], transport: transport, sessionTimeout: nil)
        )
        await transport.requests(count: 1)

        let erased = try await engine.erase(user: "ali")
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        let report = await engine.flush(deadline: .seconds(5))

        #expect(erased == 2)
        #expect(report.lanes.first { $0.id == lines.lane }?.outcome == .drained)
        #expect(bodies(transport, from: 1).matches(of: /CANARY-(\w+)/).map { String($0.1) } == ["veli", "veli"])
    }

    @Test func `what an earlier run has left is erased at the opening`() async throws {
        let queue = try TemporaryQueue()
        let first = try await open(queue.url, unreachable)
        track("ali", 1...3, by: first)
        track("veli", 1...3, by: first)
        await first.close(deadline: .zero)
        let second = DeliveryEngine(clock: TestClock())
        track("ali", 4...5, by: second)

        await #expect(throws: OutboxError.notOpen) { try await second.erase(user: "ali") }
        try await second.open(configuration(queue.url, unreachable))

        #expect(try !queue.contents().contains("CANARY-ali"))
        let ledgers = await second.statistics().map(\.ledger)
        #expect(ledgers.map(\.pending) == [3, 3])
        #expect(ledgers.map(\.dropped) == [[.erased: 5], [.erased: 5]])
        await second.close(deadline: .zero)
    }

    @Test(arguments: [true, false])
    func `on a full disk it is owed and throws, sends nothing, and is done by the next start or with space`(
        isKilled: Bool
    ) async throws {
        let queue = try TemporaryQueue()
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        DiskFaults.prepare()
        try await engine.open(configuration(queue.url, unreachable))
        track("ali", 1...500, by: engine)
        track("veli", 1...5, by: engine)
        await engine.persist()
        DiskFaults.set(.write(ENOSPC), for: queue.url)

        await #expect(throws: OutboxError.full) { try await engine.erase(user: "ali") }
        let snapshot = try queue.copy()
        #expect(try snapshot.contents().contains("CANARY-ali"))
        unreachable.setScript { _, _ in .respond(HTTPResponse(status: 200)) }

        if isKilled {
            let later = ScriptedTransport()
            let next = try await open(snapshot.url, later)
            #expect(await next.flush(deadline: .seconds(30)).isDrained)
            #expect(try !snapshot.contents().contains("CANARY-ali"))
            #expect(!bodies(later).contains("CANARY-ali"))
            #expect(bodies(later).matches(of: /CANARY-veli/).count == 10)
            await next.close(deadline: .zero)
        } else {
            var diagnostics = engine.diagnostics().makeAsyncIterator()
            DiskFaults.set(nil, for: queue.url)
            _ = await clock.nextSleep { $0 <= .seconds(60) }
            clock.advance(by: .seconds(61))
            _ = await diagnostics.next { $0 == .storageRecovered }
            _ = await engine.flush(deadline: .seconds(30))
            #expect(try !queue.contents().contains("CANARY-ali"))
        }
        let sent = unreachable.requests.map { String(decoding: $0.body, as: UTF8.self) }.suffix(4).joined()
        #expect(isKilled || sent.contains("CANARY-veli"))
        await engine.close(deadline: .zero)
    }

    @Test(arguments: [true, false])
    func `a receipt says that its event was erased only once the disk has recorded that`(isRecorded: Bool) async throws
    {
        let queue = try TemporaryQueue()
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        DiskFaults.prepare()
        try await engine.open(configuration(queue.url, unreachable))
        engine.identify(user: "ali")
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        async let receipt = engine.lane(lines.lane).track("viewed", parameters: [:], until: .persisted)
        while await engine.statistics().allSatisfy({ $0.ledger.pending == 0 }) { await engine.persist() }

        await #expect(throws: OutboxError.full) { try await engine.erase(user: "ali") }
        if isRecorded {
            DiskFaults.set(nil, for: queue.url)
            _ = await clock.nextSleep { $0 <= .seconds(60) }
            clock.advance(by: .seconds(61))
        } else {
            await engine.close(deadline: .zero)
        }

        #expect(await receipt.outcome == .lost(isRecorded ? .erased : .closed))
        DiskFaults.set(nil, for: queue.url)
        await engine.close(deadline: .zero)
    }

    @Test func `erasing everything covers all lanes, files set aside and the installation, but keeps the user's words`()
        async throws
    {
        let queue = try TemporaryQueue()
        let engine = try await open(queue.url, unreachable, consent: [:])
        try await engine.setConsent(.granted, for: .analytics)
        try await engine.setConsent(.denied, for: .marketing)
        track("ali", 1...5, by: engine)
        await engine.persist()
        let aside = queue.url.appending(path: "corrupt-1-queue-x.db")
        try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: false)
        try Data("CANARY-aside".utf8).write(to: aside.appending(path: "queue-x.db"))
        let id = engine.identity.deviceID

        let erased = try await engine.eraseEverything()

        let left = try queue.contents()
        #expect(erased == 5)
        #expect(!left.contains("CANARY"))
        #expect(!left.contains(id))
        #expect(left.contains(engine.identity.deviceID))
        #expect(engine.identity.userID == nil && engine.identity.deviceID != id)
        #expect(engine.lane(other.lane).isConsentDenied)
        #expect(engine.recentEvents().isEmpty)
        track("veli", 1...2, by: engine)
        await engine.persist()
        #expect(await engine.statistics().first { $0.id == lines.lane }?.ledger.pending == 2)
        try await LedgerCheck.check(engine)
        await engine.close(deadline: .zero)
    }

    @Test func `everything that a kill has interrupted goes on at the next start, with another installation`()
        async throws
    {
        let queue = try TemporaryQueue()
        let engine = DeliveryEngine(clock: TestClock())
        DiskFaults.prepare()
        try await engine.open(configuration(queue.url, unreachable))
        track("ali", 1...100, by: engine)
        await engine.persist()
        let id = engine.identity.deviceID
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        await #expect(throws: OutboxError.full) { try await engine.eraseEverything() }
        let snapshot = try queue.copy()

        let later = ScriptedTransport()
        let next = try await open(snapshot.url, later)
        let report = await next.flush(deadline: .seconds(30))

        #expect(report.isDrained)
        #expect(later.requests.isEmpty)
        #expect(try !snapshot.contents().contains("CANARY"))
        #expect(try !snapshot.contents().contains(id))
        #expect(next.identity.deviceID != id)
        DiskFaults.set(nil, for: queue.url)
        for engine in [engine, next] { await engine.close(deadline: .zero) }
    }

    @Test func `an erasure says that a file of a newer version may hold what it cannot reach, and stays owed`()
        async throws
    {
        let queue = try TemporaryQueue()
        let first = try await open(queue.url, unreachable)
        track("ali", 1...3, by: first)
        await first.close(deadline: .zero)
        try queue.execute("PRAGMA user_version = 99")
        let transport = ScriptedTransport()
        let engine = try await open(queue.url, transport)
        track("veli", 1...2, by: engine)

        await #expect(throws: OutboxError.newerVersion(99)) { try await engine.eraseEverything() }
        track("veli", 3...3, by: engine)

        #expect(await engine.flush(deadline: .seconds(30)).isDrained)
        #expect(bodies(transport).matches(of: /CANARY-veli/).count == 2)
        #expect(try ErasureFile.read(in: OutboxDirectory(queue.url)).contains(where: \.isOwed))
        await engine.close(deadline: .zero)
    }

    private func open(
        _ directory: URL?,
        _ transport: ScriptedTransport,
        consent: [ConsentPurpose: Consent] = [:]
    ) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        var configuration = configuration(directory, transport)
        configuration.consent = consent
        try await engine.open(configuration)
        return engine
    }

    private func configuration(_ directory: URL?, _ transport: ScriptedTransport) -> DeliveryConfiguration {
        DeliveryConfiguration(
            directory: directory,
            destinations: [lines, other],
            transport: transport,
            sessionTimeout: nil
        )
    }

    /// Tracks events of a user on both lanes.
    private func track(_ user: String?, _ numbers: ClosedRange<Int>, by engine: DeliveryEngine) {
        if let user { engine.identify(user: user) } else { engine.clearUser() }
        for number in numbers {
            for lane in [lines.lane, other.lane] {
                let canary = "CANARY-\(user ?? "nobody")"
                engine.lane(lane).track("viewed", parameters: ["canary": .string(canary), "n": .int(number)])
            }
        }
    }

    private func bodies(_ transport: ScriptedTransport, from first: Int = 0) -> String {
        transport.requests.dropFirst(first).map { String(decoding: $0.body, as: UTF8.self) }.joined(separator: "\n")
    }
}
