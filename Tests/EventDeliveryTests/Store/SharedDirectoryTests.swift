import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

/// What the processes that share a directory learn of each other's words and erasures.
@Suite struct SharedDirectoryTests {
    private let lines = LineDestination()
    private let other = LineDestination(lane: LaneID(product: "U", service: "other"), purpose: .marketing)
    private let unreachable = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }

    @Test func `another process that uses the directory learns of a denial`() async throws {
        let queue = try TemporaryQueue()
        let transport = ScriptedTransport()
        let (first, second) = (try await open(queue.url, unreachable), try await open(queue.url, transport))

        for purpose in [ConsentPurpose.analytics, .marketing] { try await first.setConsent(.denied, for: purpose) }
        track("ali", 1...1, by: second)
        _ = await second.flush(deadline: .seconds(5))

        #expect(transport.requests.isEmpty)
        #expect(second.lane(lines.lane).isConsentDenied)
        for engine in [first, second] { await engine.close(deadline: .zero) }
    }

    @Test func `a denial of another process is learnt also where this one says something else before it has looked`()
        async throws
    {
        let queue = try TemporaryQueue()
        let transport = ScriptedTransport()
        let (first, second) = (try await open(queue.url, unreachable), try await open(queue.url, transport))
        await second.persist()

        try await first.setConsent(.denied, for: .analytics)
        try await second.setConsent(.denied, for: .marketing)
        track("ali", 1...1, by: second)
        _ = await second.flush(deadline: .seconds(5))

        #expect(transport.requests.isEmpty)
        #expect(second.lane(lines.lane).isConsentDenied)
        for engine in [first, second] { await engine.close(deadline: .zero) }
    }

    @Test(arguments: [Consent.granted, .denied])
    func `of two processes the one that says something last is right, however much the other has said before`(
        last: Consent
    ) async throws {
        let queue = try TemporaryQueue()
        let transport = ScriptedTransport { _, _ in .fail(.timedOut) }
        let (first, second) = (try await open(queue.url, transport), try await open(queue.url, transport))
        track("before", 1...1, by: second)
        for engine in [first, second] { await engine.persist() }

        for purpose in [ConsentPurpose.analytics, .marketing] {
            for word in [.unknown, .granted, .denied, last == .granted ? .denied : .granted] as [Consent] {
                try await first.setConsent(word, for: purpose)
            }
            try await second.setConsent(last, for: purpose)
        }
        let before = transport.requests.count
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        for engine in [first, second] {
            _ = await engine.flush(deadline: .seconds(5))
            track("after", 2...2, by: engine)
            _ = await engine.flush(deadline: .seconds(5))
        }

        let stored = try ConsentFile.read(in: OutboxDirectory(queue.url))
        let isDenied = [first, second].map { $0.lane(lines.lane).isConsentDenied }
        #expect(isDenied == [last == .denied, last == .denied])
        #expect(stored.map(\.consent) == [last.rawValue, last.rawValue])
        #expect(try !queue.contents().contains("CANARY-before"))
        #expect(canaries(transport, from: before) == (last == .granted ? Array(repeating: "after", count: 4) : []))
        for engine in [first, second] { await engine.close(deadline: .zero) }
    }

    @Test func `a denial that a grant has followed before this process looked reaches what it has stored`()
        async throws
    {
        let queue = try TemporaryQueue()
        let transport = ScriptedTransport { _, _ in .fail(.timedOut) }
        let (first, second) = (try await open(queue.url, transport), try await open(queue.url, transport))
        track("before", 1...3, by: second)
        await second.persist()

        for purpose in [ConsentPurpose.analytics, .marketing] {
            for word in [Consent.denied, .granted] { try await first.setConsent(word, for: purpose) }
        }
        let before = transport.requests.count
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        _ = await second.flush(deadline: .seconds(5))
        track("after", 4...4, by: second)
        _ = await second.flush(deadline: .seconds(5))

        #expect(canaries(transport, from: before) == ["after", "after"])
        #expect(try !queue.contents().contains("CANARY-before"))
        #expect(await second.statistics().map(\.ledger.dropped) == [[.consentDenied: 3], [.consentDenied: 3]])
        for engine in [first, second] { await engine.close(deadline: .zero) }
    }

    @Test func `another process that uses the directory erases the same before it sends again`() async throws {
        let queue = try TemporaryQueue()
        let transport = ScriptedTransport { _, _ in .fail(.timedOut) }
        let (first, second) = (try await open(queue.url, unreachable), try await open(queue.url, transport))
        track("ali", 1...5, by: second)
        track("veli", 1...5, by: second)
        await transport.requests(count: 2)

        try await first.erase(user: "ali")
        let before = transport.requests.count
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        _ = await second.flush(deadline: .seconds(30))

        #expect(!canaries(transport, from: before).contains("ali"))
        #expect(try !queue.contents().contains("CANARY-ali"))
        #expect(await second.statistics().map(\.ledger.dropped) == [[.erased: 5], [.erased: 5]])
        for engine in [first, second] { await engine.close(deadline: .zero) }
    }

    @Test func `what another process was asked to erase goes, too, where this one is asked before it has learnt of it`()
        async throws
    {
        let queue = try TemporaryQueue()
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable))
        for user in ["ali", "veli"] {
            intake.identity.change { $0.setUser(user) }
            for _ in 1...3 {
                intake.lane(lines.lane).track("viewed", parameters: ["canary": .string("CANARY-\(user)")])
            }
        }
        await store.persistAll(barrier: true)
        let erasure = ErasureFile.Erasure(user: UserMark(userID: "ali"), last: EventID(high: .max, low: .max))
        _ = try ErasureFile.add(erasure, in: OutboxDirectory(queue.url))

        _ = intake.erase(UserMark(userID: "veli"))
        let erased = try await store.erase()

        #expect(erased == 6)
        #expect(try !queue.contents().contains("CANARY"))
        #expect(await store.statistics().first { $0.id == lines.lane }?.ledger.dropped == [.erased: 6])
        await store.stop()
    }

    @Test func `a denial that is not stored yet reaches what an ended process has left, though agreed again by then`()
        async throws
    {
        let queue = try TemporaryQueue()
        let ended = try await open(queue.url, unreachable)
        track("before", 1...3, by: ended)
        await ended.persist()
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable))

        for word in [Consent.denied, .granted] { intake.say(word, about: .marketing) }
        intake.lane(other.lane).track("viewed", parameters: [:])
        await store.persistAll(barrier: true)
        await ended.close(deadline: .zero)
        for word in [Consent.denied, .granted] { intake.say(word, about: .analytics) }
        intake.lane(lines.lane).track("viewed", parameters: [:])
        await store.persistAll(barrier: true)

        #expect(try !queue.contents().contains("CANARY"))
        #expect(await store.statistics().map(\.ledger.dropped) == [[.consentDenied: 3], [.consentDenied: 3]])
        #expect(await store.statistics().map(\.ledger.pending) == [1, 1])
        await store.stop()
    }

    @Test func `what a user does after an erasure stays where a process takes it over that has not learnt of it`()
        async throws
    {
        let queue = try TemporaryQueue()
        let (intake, store) = await DeliveryStore.open(configuration(queue.url, unreachable))
        let other = try await open(queue.url, unreachable)
        try await other.erase(user: "ali")
        track("ali", 1...3, by: other)
        await other.close(deadline: .zero)

        // What is said of one purpose makes it look for what ended processes have left.
        for word in [Consent.denied, .granted] { intake.say(word, about: .marketing) }
        await store.persistAll(barrier: true)
        await store.stop()

        let later = ScriptedTransport()
        let next = try await open(queue.url, later)
        #expect(await next.flush(deadline: .seconds(30)).isDrained)
        #expect(canaries(later).count { $0 == "ali" } >= 3)
        #expect(await next.statistics().allSatisfy { $0.ledger.dropped[.erased] == nil })
        await next.close(deadline: .zero)
    }

    @Test(arguments: [true, false])
    func `a process that is killed before it has learnt of an erasure leaves nothing of it that is sent`(
        isTakenOver: Bool
    ) async throws {
        let queue = try await killed(with: ["ali", "veli"], then: isTakenOver ? "ali" : nil) { other in
            try await other.erase(user: "ali")
        }

        let later = ScriptedTransport()
        let next = try await open(queue.url, later)
        #expect(await next.flush(deadline: .seconds(30)).isDrained)

        let sent = canaries(later)
        #expect(sent.count { $0 == "veli" } == 6)
        #expect(sent.count { $0 == "ali" } == (isTakenOver ? 4 : 0))
        #expect(try isTakenOver || !queue.contents().contains("CANARY-ali"))
        #expect(await next.statistics().allSatisfy { $0.ledger.dropped[.erased] == 3 })
        try await LedgerCheck.check(next)
        await next.close(deadline: .zero)
    }

    @Test(arguments: [true, false])
    func `a process that is killed before it has learnt of a denial leaves nothing that a later grant sends`(
        isTakenOver: Bool
    ) async throws {
        let queue = try await killed(with: ["before"], then: isTakenOver ? "after" : nil) { other in
            for purpose in [ConsentPurpose.analytics, .marketing] {
                for word in [Consent.denied, .granted] { try await other.setConsent(word, for: purpose) }
            }
        }

        let later = ScriptedTransport()
        let next = try await open(queue.url, later)
        #expect(await next.flush(deadline: .seconds(30)).isDrained)

        #expect(canaries(later) == Array(repeating: "after", count: isTakenOver ? 4 : 0))
        #expect(try !queue.contents().contains("CANARY-before"))
        #expect(await next.statistics().allSatisfy { $0.ledger.dropped[.consentDenied] == 3 })
        try await LedgerCheck.check(next)
        await next.close(deadline: .zero)
    }

    @Test(arguments: [[Consent.denied, .granted], [.granted], [.denied, .unknown, .granted]])
    func `what is stored after a grant stays, whatever had been said before and whoever takes it over`(
        words: [Consent]
    ) async throws {
        let queue = try TemporaryQueue()
        let (first, second) = (try await open(queue.url, unreachable), try await open(queue.url, unreachable))
        for engine in [first, second] {
            for purpose in [ConsentPurpose.analytics, .marketing] {
                for word in words { try await engine.setConsent(word, for: purpose) }
            }
            _ = await engine.flush(deadline: .seconds(5))
        }
        _ = await first.flush(deadline: .seconds(5))
        for engine in [first, second] {
            track("after", 1...2, by: engine)
            await engine.persist()
        }
        // Both are killed.
        let left = try queue.copy()

        let later = ScriptedTransport()
        let next = try await open(left.url, later)
        #expect(await next.flush(deadline: .seconds(30)).isDrained)

        #expect(canaries(later) == Array(repeating: "after", count: 8))
        for engine in [first, second, next] { await engine.close(deadline: .zero) }
    }

    @Test func `an erasure that could not be stored is stored as soon as it can be, once`() async throws {
        let queue = try TemporaryQueue()
        let (first, second) = (try await open(queue.url, unreachable), try await open(queue.url, unreachable))
        track("ali", 1...3, by: second)
        await second.persist()
        await first.persist()
        await first.suspendStorage()

        await #expect(throws: OutboxError.suspended) { try await first.erase(user: "ali") }
        await first.resumeStorage()
        await first.persist()
        try await second.erase(user: "veli")

        let stored = try ErasureFile.read(in: OutboxDirectory(queue.url))
        #expect(stored.map(\.user) == ["ali", "veli"].map(UserMark.init(userID:)))
        #expect(await second.statistics().map(\.ledger.dropped) == [[.erased: 3], [.erased: 3]])
        for engine in [first, second] { await engine.close(deadline: .zero) }
    }

    @Test func `an erasure whose list cannot be replaced for now is stored later`() async throws {
        let queue = try TemporaryQueue()
        let (first, second) = (try await open(queue.url, unreachable), try await open(queue.url, unreachable))
        for engine in [first, second] {
            track("ali", 1...3, by: engine)
            await engine.persist()
        }
        let list = queue.url.appending(path: "erasures")
        try FileManager.default.createDirectory(at: list, withIntermediateDirectories: false)

        await #expect(throws: OutboxError.self) { try await first.erase(user: "ali") }
        #expect(await first.statistics().map(\.ledger.dropped) == [[.erased: 3], [.erased: 3]])
        try FileManager.default.removeItem(at: list)
        track("ali", 4...5, by: first)
        for _ in 1...2 { await first.persist() }

        let stored = try ErasureFile.read(in: OutboxDirectory(queue.url))
        #expect(stored.map(\.user) == [UserMark(userID: "ali")])
        for engine in [first, second] { await engine.close(deadline: .zero) }
        let later = ScriptedTransport()
        let next = try await open(queue.url, later)
        #expect(await next.flush(deadline: .seconds(30)).isDrained)
        #expect(canaries(later) == ["ali", "ali", "ali", "ali"])
        await next.close(deadline: .zero)
    }

    @Test func `what a user does after a process has learnt of an erasure stays, also where its file is taken over`()
        async throws
    {
        let queue = try TemporaryQueue()
        let (engine, other) = (try await open(queue.url, unreachable), try await open(queue.url, unreachable))
        try await engine.erase(user: "ali")
        // Both look before either ends, so that neither takes over what the other has left.
        for engine in [engine, other] { #expect(await engine.flush(deadline: .seconds(5)).isDrained) }
        for engine in [engine, other] { track("ali", 1...3, by: engine) }
        for engine in [engine, other] { await engine.close(deadline: .zero) }

        let later = ScriptedTransport()
        let next = try await open(queue.url, later)
        #expect(await next.flush(deadline: .seconds(30)).isDrained)

        #expect(canaries(later).count { $0 == "ali" } == 12)
        await next.close(deadline: .zero)
    }

    private func open(_ directory: URL, _ transport: ScriptedTransport) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, transport))
        return engine
    }

    private func configuration(_ directory: URL, _ transport: ScriptedTransport) -> DeliveryConfiguration {
        DeliveryConfiguration(
            directory: directory,
            destinations: [lines, other],
            transport: transport,
            sessionTimeout: nil
        )
    }

    /// A directory with the file of a process that was killed with events of users before it had learnt of what another
    /// one was told, and with that one's own file where it has tracked events of a user since.
    private func killed(
        with users: [String],
        then user: String?,
        before told: (DeliveryEngine) async throws -> Void
    ) async throws -> TemporaryQueue {
        let queue = try TemporaryQueue()
        let killed = try await open(queue.url, unreachable)
        for user in users { track(user, 1...3, by: killed) }
        await killed.persist()
        let left = try queue.copy()
        let other = try await open(queue.url, unreachable)
        try await told(other)
        await killed.close(deadline: .zero)
        if let user { track(user, 7...8, by: other) }
        await other.close(deadline: .zero)
        if user == nil { for path in queue.queues { OutboxDirectory.remove(path) } }
        let name = try #require(left.queues.first.map { OutboxDirectory.name(of: $0) })
        for suffix in ["", "-wal"] {
            let path = queue.url.appending(path: name).path + suffix
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: left.url.appending(path: name).path + suffix, toPath: path)
        }
        return queue
    }

    /// Tracks events of a user on both lanes.
    private func track(_ user: String, _ numbers: ClosedRange<Int>, by engine: DeliveryEngine) {
        engine.identify(user: user)
        for number in numbers {
            for lane in [lines.lane, other.lane] {
                let parameters: EventParameters = ["canary": .string("CANARY-\(user)"), "n": .int(number)]
                engine.lane(lane).track("viewed", parameters: parameters)
            }
        }
    }

    /// The users whose events requests carry, from one request on.
    private func canaries(_ transport: ScriptedTransport, from first: Int = 0) -> [String] {
        transport.requests.dropFirst(first).flatMap { request in
            String(decoding: request.body, as: UTF8.self).matches(of: /CANARY-(\w+)/).map { String($0.1) }
        }
    }
}
