import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import EventTracking
import Foundation
import Testing

@testable import EventDeliveryScenes

/// Tests of unstored decisions, without permission to read or write files.
@Suite(.timeLimit(.minutes(5))) struct UnstoredDecisionTests {
    /// The result of a denial: the thrown error, and the state of the next start.
    struct Outcome: Equatable {
        var error: DecisionError?
        var consent: Consent?
        /// Whether the next start has sent the events of the denied purpose.
        var isSent = false

        static func isStored(_ error: DecisionError?) -> Outcome { Outcome(error: error, consent: .denied) }

        /// Until the app decides again, the next start has the default.
        static func isNotStored(_ error: OutboxError) -> Outcome {
            Outcome(error: .notStored(error), consent: .granted, isSent: true)
        }
    }

    @Test(arguments: [0o000, 0o300, 0o500])
    func `a denial is stored, or throws, and sends nothing if the directory has no permissions at the start`(mode: Int)
        async throws
    {
        let queue = try UnstoredDecisionTests.queue()
        await #expect(processExitsWith: .success) { [path = queue.url.path as String, mode = mode as Int] in
            UnstoredDecisionTests.becomeNobody()
            let scene = DenialScene(path)
            try await scene.leave()
            try scene.setMode(mode)
            let transport = ScriptedTransport()
            let engine = try await scene.open(transport)

            let outcome = try await scene.deny(by: engine)

            guard case .notStored(let failure) = outcome.error else {
                try #require(outcome.consent == .denied && !outcome.isSent)
                return
            }
            try #require(outcome == Outcome.isNotStored(failure))
            try #require(transport.requests.isEmpty)
        }
    }

    /// With sent events, the lane waits, so only the decision can find that the directory's lock is lost.
    @Test(arguments: [0o000, 0o300, 0o500], [false, true])
    func `a denial is stored, or throws, if the directory may not be read or written from some time on`(
        mode: Int,
        isSent: Bool
    ) async throws {
        let queue = try UnstoredDecisionTests.queue()
        await #expect(processExitsWith: .success) { [path = queue.url.path as String, mode, isSent] in
            UnstoredDecisionTests.becomeNobody()
            let scene = DenialScene(path)
            let engine = try await scene.open(isSent ? ScriptedTransport() : nil)
            GrantedEngine.track("REFUSED", by: engine)
            await engine.storeBuffered()
            if isSent { _ = await engine.flush(timeout: .seconds(30)) }
            try scene.setMode(mode)

            let outcome = try await scene.deny(by: engine)

            if case .notStored = outcome.error {
                try #require(outcome.consent == .granted)
                // The lock file cannot be found, so the engine must assume that another process has the directory.
                try #require(mode == 0)
            } else {
                try #require(outcome == Outcome.isStored(outcome.error))
                // The damaged files cannot be listed.
                let unlisted = DecisionError.notYetClean(.unavailable(code: EACCES))
                try #require(outcome.error == (mode == 0o300 ? unlisted : nil))
            }
        }
    }

    #if os(Linux)
    @Test func `a denial throws if no file may have any bytes`() async throws {
        let queue = try TemporaryQueue()
        await #expect(processExitsWith: .success) { [path = queue.url.path as String] in
            let scene = DenialScene(path)
            try await scene.leave()
            let engine = try await scene.open()
            UnstoredDecisionTests.limitFiles(to: 0)

            let outcome = try await scene.deny(by: engine) { UnstoredDecisionTests.limitFiles(to: nil) }

            guard case .notStored(let reason) = outcome.error else {
                Issue.record("the denial cannot be stored: \(outcome)")
                return
            }
            try #require(outcome == Outcome.isNotStored(reason))
        }
    }
    #endif

    @Test(arguments: [Consent.denied, .granted])
    func `a decision that is not stored throws, and is stored as soon as the disk accepts it`(decision: Consent)
        async throws
    {
        let queue = try TemporaryQueue()
        let scene = DenialScene(queue.url.path)
        DiskFaults.prepare()
        try await scene.leave()
        let engine = try await scene.open()
        DiskFaults.set(.write(ENOSPC), for: queue.url)

        await #expect(throws: DecisionError.notStored(.full)) {
            try await engine.setConsent(decision, for: .analytics)
        }
        #expect(try queue.copy().rows().state?.decisions.isEmpty == true)
        DiskFaults.set(nil, for: queue.url)
        await engine.storeBuffered()
        scene.clock.advance(by: .seconds(61))
        await engine.storeBuffered()

        #expect(try queue.copy().rows().state?.decisions["analytics"]?.consent == decision)
        await engine.close(timeout: .zero)
    }

    @Test func `a closed engine stores no decision, and throws`() async throws {
        let queue = try TemporaryQueue()
        let scene = DenialScene(queue.url.path)
        try await scene.leave()
        let engine = try await scene.open()
        await engine.close(timeout: .zero)

        for decision in [Consent.denied, .granted] {
            await #expect(throws: DecisionError.notStored(.notOpen)) {
                try await engine.setConsent(decision, for: .analytics)
            }
        }
        #expect(try queue.rows().state?.decisions.isEmpty == true)
    }

    /// Returns a directory for the later user of the child process.
    private static func queue() throws -> TemporaryQueue {
        let queue = try TemporaryQueue()
        if geteuid() == 0 { try #require(unsafe chown(queue.url.path, nobody, nobody) == 0) }
        return queue
    }

    private static let nobody: UInt32 = 65_534

    #if os(Linux)
    /// Limits the size of each file that this process writes, or removes the limit.
    private static func limitFiles(to bytes: UInt?) {
        _ = signal(SIGXFSZ, SIG_IGN)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }
    #endif

    /// Gives up the rights of root, which no mode restricts.
    private static func becomeNobody() {
        guard geteuid() == 0 else { return }
        _ = setgid(nobody)
        _ = setuid(nobody)
    }
}

/// A directory with events of an earlier run, about whose purpose the user decides.
private struct DenialScene {
    let directory: URL
    let clock = TestClock()

    init(_ path: String) { directory = URL(filePath: path) }

    func open(_ transport: ScriptedTransport? = nil) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: clock)
        var configuration = GrantedEngine.configuration(directory, transport)
        configuration.consent = [:]
        try await engine.open(configuration)
        return engine
    }

    /// Leaves events of an earlier run.
    func leave() async throws {
        let first = try await open()
        GrantedEngine.track("REFUSED", by: first)
        await first.close(timeout: .zero)
    }

    func setMode(_ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.path)
    }

    /// Denies with an engine, closes it, makes the directory usable and starts again.
    func deny(
        by engine: DeliveryEngine,
        fix: () -> Void = {}
    ) async throws -> UnstoredDecisionTests.Outcome {
        var outcome = UnstoredDecisionTests.Outcome()
        do throws(DecisionError) {
            try await engine.setConsent(.denied, for: .analytics)
        } catch {
            outcome.error = error
        }
        await engine.close(timeout: .zero)
        fix()
        try setMode(0o700)
        let transport = ScriptedTransport()
        let next = try await open(transport)
        _ = await next.flush(timeout: .seconds(30))
        outcome.consent = await next.statistics().first?.consent
        outcome.isSent = transport.sentText.contains("REFUSED")
        await next.close(timeout: .zero)
        return outcome
    }
}
