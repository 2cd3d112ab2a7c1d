import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

/// Decisions about consent where the disk takes none, or only some files.
@Suite(.timeLimit(.minutes(5))) struct UnstoredDecisionTests {
    /// What a denial has thrown, and what the next start has made of it.
    struct Outcome: Equatable {
        var error: OutboxError?
        var consent: Consent?
        var isSent = false

        static func isStored(_ error: OutboxError?) -> Outcome { Outcome(error: error, consent: .denied) }

        /// Until the app decides again, the next start has the default.
        static func isNotStored(_ error: OutboxError) -> Outcome {
            Outcome(error: .notStored(error), consent: .granted, isSent: true)
        }
    }

    @Test(arguments: [0o000, 0o300, 0o500])
    func `a denial at a start where the directory may not be read or written is stored, or says that it is not`(
        mode: Int
    ) async throws {
        let queue = try UnstoredDecisionTests.queue()
        await #expect(processExitsWith: .success) { [path = queue.url.path as String, mode = mode as Int] in
            UnstoredDecisionTests.becomeNobody()
            let scene = DenialScene(path)
            try await scene.leave()
            try scene.setMode(mode)

            let outcome = try await scene.deny(by: try await scene.open())

            let denied = OutboxError.unavailable(code: EACCES)
            // Its files cannot be reached by name; else the consent file can.
            try #require(outcome == (mode == 0 ? Outcome.isNotStored(denied) : Outcome.isStored(outcome.error)))
            if case .notStored = outcome.error { try #require(mode == 0) }
            try #require(outcome.error != nil, "the events of the earlier run cannot be deleted")
        }
    }

    @Test func `a denial says that it is not stored where a directory without a consent file may not be written`()
        async throws
    {
        let queue = try UnstoredDecisionTests.queue()
        await #expect(processExitsWith: .success) { [path = queue.url.path as String] in
            UnstoredDecisionTests.becomeNobody()
            let scene = DenialScene(path)
            try await scene.leave()
            try FileManager.default.removeItem(atPath: path + "/consent")
            try scene.setMode(0o500)

            let outcome = try await scene.deny(by: try await scene.open())

            try #require(outcome == Outcome.isNotStored(.unavailable(code: EACCES)))
        }
    }

    @Test(arguments: [0o000, 0o300, 0o500])
    func `a denial in a running process is stored, or says that it is not, once the directory is taken away`(mode: Int)
        async throws
    {
        let queue = try UnstoredDecisionTests.queue()
        await #expect(processExitsWith: .success) { [path = queue.url.path as String, mode = mode as Int] in
            UnstoredDecisionTests.becomeNobody()
            let scene = DenialScene(path)
            let engine = try await scene.open()
            GrantedEngine.track("REFUSED", by: engine)
            await engine.persist()
            try scene.setMode(mode)

            let outcome = try await scene.deny(by: engine)

            try #require(outcome.consent == (mode == 0 ? .granted : .denied))
            try #require(!outcome.isSent, "the open file can still be cleared")
            if case .notStored = outcome.error { try #require(mode == 0) } else { try #require(mode != 0) }
        }
    }

    #if os(Linux)
    @Test func `a denial says that it is not stored where no file may have any bytes`() async throws {
        let queue = try TemporaryQueue()
        await #expect(processExitsWith: .success) { [path = queue.url.path as String] in
            let scene = DenialScene(path)
            try await scene.leave()
            let engine = try await scene.open()
            UnstoredDecisionTests.limitFiles(to: 0)

            let outcome = try await scene.deny(by: engine) { UnstoredDecisionTests.limitFiles(to: nil) }

            try #require(outcome == Outcome.isNotStored(.unavailable(code: EFBIG)))
        }
    }

    @Test func `a denial is stored where files may have few bytes`() async throws {
        let queue = try TemporaryQueue()
        await #expect(processExitsWith: .success) { [path = queue.url.path as String] in
            let scene = DenialScene(path)
            try await scene.leave()
            let engine = try await scene.open()
            UnstoredDecisionTests.limitFiles(to: 512)

            let outcome = try await scene.deny(by: engine) { UnstoredDecisionTests.limitFiles(to: nil) }

            try #require(outcome == Outcome.isStored(outcome.error))
            if case .notStored = outcome.error { Issue.record("the decision is stored") }
        }
    }
    #endif

    @Test(arguments: [Consent.denied, .granted])
    func `a decision that is not stored says so, and is stored as soon as it can be`(word: Consent) async throws {
        let queue = try TemporaryQueue()
        let scene = DenialScene(queue.url.path)
        try await scene.leave()
        // Nothing replaces a directory, and nothing is written into it.
        let consent = queue.url.appending(path: "consent")
        try FileManager.default.removeItem(at: consent)
        try FileManager.default.createDirectory(at: consent, withIntermediateDirectories: false)
        let engine = try await scene.open()

        await #expect(throws: OutboxError.notStored(.unavailable(code: EISDIR))) {
            try await engine.setConsent(word, for: .analytics)
        }
        try FileManager.default.removeItem(at: consent)
        await engine.persist()

        #expect(try ConsentFile.read(in: OutboxDirectory(queue.url)).map(\.consent) == [word.rawValue])
        await engine.close(deadline: .zero)
    }

    @Test func `a closed engine says whether a decision is stored`() async throws {
        let queue = try TemporaryQueue()
        let scene = DenialScene(queue.url.path)
        try await scene.leave()
        let engine = try await scene.open()
        await engine.close(deadline: .zero)
        await #expect(throws: OutboxError.notOpen) { try await engine.setConsent(.denied, for: .analytics) }
        try await engine.setConsent(.granted, for: .analytics)

        let consent = queue.url.appending(path: "consent")
        try FileManager.default.removeItem(at: consent)
        try FileManager.default.createDirectory(at: consent, withIntermediateDirectories: false)

        for word in [Consent.denied, .granted] {
            await #expect(throws: OutboxError.notStored(.unavailable(code: EISDIR))) {
                try await engine.setConsent(word, for: .analytics)
            }
        }
    }

    /// A directory of the user that the child process becomes.
    private static func queue() throws -> TemporaryQueue {
        let queue = try TemporaryQueue()
        if geteuid() == 0 { try #require(unsafe chown(queue.url.path, nobody, nobody) == 0) }
        return queue
    }

    private static let nobody: UInt32 = 65_534

    #if os(Linux)
    /// Limits the size of each file that this process writes; `nil` for no limit.
    private static func limitFiles(to bytes: UInt?) {
        _ = signal(SIGXFSZ, SIG_IGN)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }
    #endif

    /// Gives up root, whom no mode stops.
    private static func becomeNobody() {
        guard geteuid() == 0 else { return }
        _ = setgid(nobody)
        _ = setuid(nobody)
    }
}

/// A directory with events of an earlier run, about whose purpose the user decides.
private struct DenialScene {
    let directory: URL

    init(_ path: String) { directory = URL(filePath: path) }

    func open(_ transport: ScriptedTransport? = nil) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        var configuration = GrantedEngine.configuration(directory, transport)
        configuration.consent = [:]
        try await engine.open(configuration)
        return engine
    }

    /// Leaves events of an earlier run.
    func leave() async throws {
        let first = try await open()
        GrantedEngine.track("REFUSED", by: first)
        await first.close(deadline: .zero)
    }

    func setMode(_ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.path)
    }

    /// Denies by an engine, ends it, makes the directory usable and starts again.
    func deny(
        by engine: DeliveryEngine,
        fix: () -> Void = {}
    ) async throws -> UnstoredDecisionTests.Outcome {
        var outcome = UnstoredDecisionTests.Outcome()
        do throws(OutboxError) {
            try await engine.setConsent(.denied, for: .analytics)
        } catch {
            outcome.error = error
        }
        await engine.close(deadline: .zero)
        fix()
        try setMode(0o700)
        let transport = ScriptedTransport()
        let next = try await open(transport)
        _ = await next.flush(deadline: .seconds(30))
        outcome.consent = await next.statistics().first?.consent
        outcome.isSent = transport.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("REFUSED") }
        await next.close(deadline: .zero)
        return outcome
    }
}
