import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import EventTracking
import Foundation
import HTTPTransport
import Testing

@testable import EventDeliveryScenes

/// Tests of erasing the events of a user, or of all users.
@Suite(.timeLimit(.minutes(5))) struct ErasureTests {
    private let lines = LineDestination()
    private let other = LineDestination(lane: LaneID(product: "U", service: "other"), purpose: .marketing)
    private let unreachable = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }

    @Test func `a user's events leave no byte on disk, are counted, and those of others stay`() async throws {
        let queue = try TemporaryQueue()
        let engine = try await open(queue.url, unreachable)
        track("ali", 1...50, by: engine)
        track("veli", 1...50, by: engine)
        track(nil, 1...10, by: engine)
        await engine.storeBuffered()
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
        await engine.close(timeout: .zero)
        let later = ScriptedTransport()
        let next = try await open(queue.url, later)
        #expect(await next.flush(timeout: .seconds(30)).isDrained)
        #expect(bodies(later).matches(of: /CANARY-(\w+)/).count == 120)
        #expect(!bodies(later).contains("CANARY-ali"))
    }

    @Test func `other callers of the store wait for one step of an erasure, not for all events of the user`()
        async throws
    {
        let engine = try await open(nil, unreachable)
        for number in 1...8_000 {
            withTracking(user: number.isMultiple(of: 2) ? "ali" : "user-\(number)") {
                engine.lane(lines.lane).track("viewed", parameters: ["n": .int(number)])
            }
            // The buffer has less capacity than all events.
            if number.isMultiple(of: 1_000) { await engine.storeBuffered() }
        }

        let erasing = Task { try await engine.erase(user: "ali") }
        var pending: Set<Int> = []
        while pending.min() ?? 8_000 > 4_000 {
            pending.formUnion(await engine.statistics().map(\.ledger.pending).filter { $0 > 0 })
        }

        let erased = try await erasing.value
        #expect(erased == 4_000)
        #expect(pending.count >= 5)
        try await LedgerCheck.check(engine)
    }

    @Test func `ids are compared by bytes, and later events of the same user stay`() async throws {
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

    @Test func `held and quarantined events are erased, even by a sensitive id`() async throws {
        let queue = try TemporaryQueue()
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 400)) }
        let engine = try await open(queue.url, transport, consent: [.analytics: .granted, .marketing: .unknown])
        engine.user.identify(Sensitive("ada@example.com"), policy: .drop)
        engine.lane(lines.lane).track("refused", parameters: ["canary": "CANARY-Q"])
        engine.lane(other.lane).track("held", parameters: ["canary": "CANARY-H"])
        engine.user.clear()
        engine.lane(other.lane).track("held", parameters: ["canary": "CANARY-N"])
        _ = await engine.flush(timeout: .seconds(5))
        #expect(await engine.quarantine.events().count == 1)

        let erased = try await engine.erase(user: Sensitive("ada@example.com"))

        let left = try queue.contents()
        #expect(erased == 2)
        #expect(await engine.quarantine.events().isEmpty)
        #expect(!left.contains("CANARY-Q") && !left.contains("CANARY-H") && left.contains("CANARY-N"))
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a request with a user's event is cancelled, and its events of other users are sent again`() async throws
    {
        let transport = ScriptedTransport { _, number in
            number == 1 ? .hang : .respond(HTTPResponse(status: 200))
        }
        let engine = DeliveryEngine(clock: TestClock())
        track("ali", 1...2, by: engine)
        track("veli", 1...2, by: engine)
        var configuration = DeliveryConfiguration(directory: nil, destinations: [lines], transport: transport)
        configuration.sessionTimeout = nil
        try await engine.open(configuration)
        await transport.requests(count: 1)

        let erased = try await engine.erase(user: "ali")
        let report = await engine.flush(timeout: .seconds(5))

        #expect(erased == 2)
        #expect(report.lanes.first { $0.id == lines.lane }?.outcome == .drained)
        #expect(bodies(transport, from: 1).matches(of: /CANARY-(\w+)/).map { String($0.1) } == ["veli", "veli"])
    }

    @Test func `an erasure before the opening covers the events of an earlier run`() async throws {
        let queue = try TemporaryQueue()
        let first = try await open(queue.url, unreachable)
        track("ali", 1...3, by: first)
        track("veli", 1...3, by: first)
        await first.close(timeout: .zero)
        let second = DeliveryEngine(clock: TestClock())
        track("ali", 4...5, by: second)

        await #expect(throws: DecisionError.notStored(.notOpen)) { try await second.erase(user: "ali") }
        try await second.open(configuration(queue.url, unreachable))

        await second.waitUntilGone("CANARY-ali", from: queue)
        let ledgers = await second.statistics().map(\.ledger)
        #expect(ledgers.map(\.pending) == [3, 3])
        #expect(ledgers.map(\.dropped) == [[.erased: 5], [.erased: 5]])
        await second.close(timeout: .zero)
    }

    @Test func `an erasure on a full disk throws, sends nothing of the user, and is stored when there is space`()
        async throws
    {
        let queue = try TemporaryQueue()
        let (clock, transport) = (TestClock(), ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) })
        let engine = DeliveryEngine(clock: clock)
        DiskFaults.prepare()
        try await engine.open(configuration(queue.url, transport))
        track("ali", 1...500, by: engine)
        track("veli", 1...5, by: engine)
        await engine.storeBuffered()
        // Both lanes wait after their first request.
        await transport.requests(count: 2)
        let sent = transport.requests.count
        DiskFaults.set(.write(ENOSPC), for: queue.url)

        await #expect(throws: DecisionError.notStored(.full)) { try await engine.erase(user: "ali") }
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        // The user's events stay pending, so a flush would wait until its deadline.
        _ = await engine.flush(timeout: .zero)
        while bodies(transport, from: sent).matches(of: /CANARY-veli/).count < 10 { await Task.yield() }
        #expect(try queue.contents().contains("CANARY-ali"))
        DiskFaults.set(nil, for: queue.url)
        await engine.storeBuffered()
        clock.advance(by: .seconds(61))
        await engine.waitUntilGone("CANARY-ali", from: queue)
        let after = await engine.flush(timeout: .seconds(30))

        #expect(after.isDrained)
        #expect(!bodies(transport, from: sent).contains("CANARY-ali"))
        #expect(bodies(transport, from: sent).matches(of: /CANARY-veli/).count == 10)
        let dropped = await engine.statistics().map(\.ledger.dropped)
        #expect(dropped == [[.erased: 500], [.erased: 500]])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `an erasure throws while the deletion of a delivered event is only in memory`() async throws {
        let queue = try TemporaryQueue()
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        DiskFaults.prepare()
        engine.hold(reason: .lowPower)
        try await engine.open(configuration(queue.url, ScriptedTransport()))
        track("ali", 1...5, by: engine)
        await engine.storeBuffered()
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        engine.release(reason: .lowPower)
        #expect(await engine.flush(timeout: .seconds(30)).isDrained)
        DiskFaults.set(nil, for: queue.url)

        await #expect(throws: DecisionError.notYetClean(.full)) { try await engine.erase(user: "ali") }

        #expect(try queue.contents().contains("CANARY-ali"))
        clock.advance(by: .seconds(61))
        await engine.storeBuffered()
        await engine.waitUntilGone("CANARY-ali", from: queue)
        await engine.close(timeout: .zero)
    }

    @Test func `an erasure that a kill has interrupted is completed by the next start`() async throws {
        let queue = try TemporaryQueue()
        let engine = try await openWithFaults(queue.url)
        track("ali", 1...500, by: engine)
        track("veli", 1...5, by: engine)
        await engine.storeBuffered()
        DiskFaults.set(.merge(ENOSPC), for: queue.url)

        await #expect(throws: DecisionError.notYetClean(.full)) { try await engine.erase(user: "ali") }
        let killed = try queue.copy()
        DiskFaults.set(nil, for: queue.url)
        await engine.close(timeout: .zero)
        #expect(try killed.contents().contains("CANARY-ali"))
        let transport = ScriptedTransport()
        let next = try await open(killed.url, transport)
        #expect(await next.flush(timeout: .seconds(30)).isDrained)

        await next.waitUntilGone("CANARY-ali", from: killed)
        #expect(!bodies(transport).contains("CANARY-ali"))
        #expect(bodies(transport).matches(of: /CANARY-veli/).count == 10)
        #expect(await next.statistics().map(\.ledger.dropped) == [[.erased: 500], [.erased: 500]])
        try await LedgerCheck.check(next)
        await next.close(timeout: .zero)
    }

    @Test func `no pending erasure of many is lost`() async throws {
        let queue = try TemporaryQueue()
        let engine = try await openWithFaults(queue.url)
        let users = (1...300).map { "user-\($0)-" }
        for user in users { track(user, 1...1, by: engine) }
        track("veli", 1...1, by: engine)
        await engine.storeBuffered()
        DiskFaults.set(.merge(ENOSPC), for: queue.url)
        for user in users {
            await #expect(throws: DecisionError.notYetClean(.full)) { try await engine.erase(user: user) }
        }
        let killed = try queue.copy()
        DiskFaults.set(nil, for: queue.url)
        await engine.close(timeout: .zero)
        #expect(try killed.copy().rows().state?.erasing.count == 300)

        let transport = ScriptedTransport()
        let next = try await open(killed.url, transport)
        #expect(await next.flush(timeout: .seconds(30)).isDrained)

        await next.waitUntilGone("CANARY-user-", from: killed)
        let left = bodies(transport).matches(of: /CANARY-(\w+)/).map { String($0.1) }
        #expect(left == ["veli", "veli"])
        #expect(await next.statistics().map(\.ledger.dropped) == [[.erased: 300], [.erased: 300]])
        await next.close(timeout: .zero)
    }

    @Test(arguments: [true, false])
    func `a receipt reports that its event was erased only when the disk has recorded the erasure`(isRecorded: Bool)
        async throws
    {
        let queue = try TemporaryQueue()
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        DiskFaults.prepare()
        try await engine.open(configuration(queue.url, unreachable))
        engine.user.identify("ali")
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        async let receipt = engine.lane(lines.lane).trackUntilStored("viewed", parameters: [:])
        // The event leaves the buffer, and waits in memory for the disk.
        repeat { await engine.storeBuffered() } while await engine.statistics().allSatisfy { $0.ledger.pending == 0 }

        await #expect(throws: DecisionError.notStored(.full)) { try await engine.erase(user: "ali") }
        if isRecorded {
            DiskFaults.set(nil, for: queue.url)
            _ = await clock.nextSleep { $0 <= .seconds(60) }
            clock.advance(by: .seconds(61))
        } else {
            await engine.close(timeout: .zero)
        }

        let outcome = await receipt.outcome
        #expect(outcome == .dropped(isRecorded ? .erased : .storageFull))
        DiskFaults.set(nil, for: queue.url)
        await engine.close(timeout: .zero)
    }

    @Test
    func `erasing everything covers all lanes, damaged files and the installation id, and keeps the user's decisions`()
        async throws
    {
        let queue = try TemporaryQueue()
        let engine = try await open(queue.url, unreachable, consent: [:])
        try await engine.setConsent(.granted, for: .analytics)
        try await engine.setConsent(.denied, for: .marketing)
        track("ali", 1...5, by: engine)
        await engine.storeBuffered()
        let aside = queue.url.appending(path: "corrupt-1-queue.db")
        try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: false)
        try Data("CANARY-aside".utf8).write(to: aside.appending(path: "queue.db"))
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
        await engine.storeBuffered()
        #expect(await engine.statistics().first { $0.id == lines.lane }?.ledger.pending == 2)
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `while erasing everything is pending, all starts have the same new installation id`() async throws {
        let queue = try TemporaryQueue()
        let engine = try await openWithFaults(queue.url)
        track("ali", 1...100, by: engine)
        await engine.storeBuffered()
        let old = engine.identity.deviceID
        DiskFaults.set(.merge(ENOSPC), for: queue.url)
        await #expect(throws: DecisionError.notYetClean(.full)) { try await engine.eraseEverything() }
        let new = engine.identity.deviceID
        var killed = try queue.copy()
        DiskFaults.set(nil, for: queue.url)
        await engine.close(timeout: .zero)

        for _ in 1...3 {
            DiskFaults.set(.merge(ENOSPC), for: killed.url)
            let next = try await open(killed.url, unreachable)
            #expect(next.identity.deviceID == new)
            let copy = try killed.copy()
            #expect(try copy.copy().rows().state?.erasing.keys.map(\.self) == [nil])
            await next.close(timeout: .zero)
            DiskFaults.set(nil, for: killed.url)
            killed = copy
        }
        let transport = ScriptedTransport()
        let last = try await open(killed.url, transport)
        let report = await last.flush(timeout: .seconds(30))

        #expect(report.isDrained)
        #expect(transport.requests.isEmpty)
        #expect(old != new && last.identity.deviceID == new)
        for text in ["CANARY", old] { await last.waitUntilGone(text, from: killed) }
        #expect(await last.statistics().map(\.ledger.dropped) == [[.erased: 100], [.erased: 100]])
        await last.close(timeout: .zero)
    }

    @Test func `an erasure throws if the file has a newer version, and leaves the file unchanged`() async throws {
        let queue = try TemporaryQueue()
        let first = try await open(queue.url, unreachable)
        track("ali", 1...3, by: first)
        await first.close(timeout: .zero)
        try queue.execute("PRAGMA user_version = 99")
        let bytes = try Data(contentsOf: URL(filePath: queue.path))
        let transport = ScriptedTransport()
        let engine = try await open(queue.url, transport)
        track("veli", 1...2, by: engine)

        await #expect(throws: DecisionError.notStored(.newerVersion(99))) { try await engine.eraseEverything() }
        track("veli", 3...3, by: engine)

        #expect(await engine.flush(timeout: .seconds(30)).isDrained)
        #expect(bodies(transport).matches(of: /"n":3/).count == 2)
        await engine.close(timeout: .zero)
        #expect(try Data(contentsOf: URL(filePath: queue.path)) == bytes)
    }

    /// Opens an engine that reaches no receiver, after disk faults were prepared for its files.
    private func openWithFaults(_ directory: URL) async throws -> DeliveryEngine {
        DiskFaults.prepare()
        return try await open(directory, unreachable)
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
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [lines, other],
            transport: transport
        )
        configuration.sessionTimeout = nil
        return configuration
    }

    /// Tracks events of a user on both lanes.
    private func track(_ user: String?, _ numbers: ClosedRange<Int>, by engine: DeliveryEngine) {
        if let user { engine.user.identify(user) } else { engine.user.clear() }
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
