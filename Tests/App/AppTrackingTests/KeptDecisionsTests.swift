import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import AppTracking

@Suite(.timeLimit(.minutes(5))) struct KeptDecisionsTests {
    @Test func `a decision that could not be stored is in effect at the next start, which stores it`() async throws {
        let queue = try TemporaryQueue()
        let file = queue.url.deletingLastPathComponent().appending(path: UUID().uuidString).appending(path: "decisions")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let earlier = try await open(queue)
        earlier.lane(LineDestination().lane).track("viewed", parameters: [:])
        // The directory is in use, so the decision cannot be stored.
        let first = try await open(queue)
        await delivery(first, file).setConsent(.denied, for: .analytics)
        #expect(KeptDecisions(file: file).decisions == [.analytics: .denied])
        await first.close(timeout: .zero)
        await earlier.close(timeout: .zero)

        let transport = ScriptedTransport()
        let second = DeliveryEngine(clock: TestClock())
        try await delivery(second, file).open(configuration(queue, transport))
        _ = await second.flush(timeout: .seconds(1))
        await second.close(timeout: .zero)
        let third = try await open(queue, transport)

        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(transport.requests.isEmpty)
        #expect(await third.statistics().map(\.consent) == [.denied])
        await third.close(timeout: .zero)
    }

    @Test func `of several decisions about a purpose the last one is kept in the file`() async throws {
        let queue = try TemporaryQueue()
        let file = queue.url.appending(path: "decisions")
        let (kept, engine) = (KeptDecisions(file: file), DeliveryEngine(clock: TestClock()))
        await engine.close(timeout: .zero)

        for consent in [Consent.granted, .denied, .unknown] { await kept.set(consent, for: .analytics, on: engine) }
        await kept.set(.granted, for: ConsentPurpose("ads"), on: engine)

        #expect(kept.decisions == [.analytics: .unknown, ConsentPurpose("ads"): .granted])
        #expect(KeptDecisions(file: file).decisions == kept.decisions)
    }

    @Test(arguments: 1...20)
    func `a decision during the opening replaces the kept one`(_: Int) async throws {
        let queue = try TemporaryQueue()
        let file = queue.url.deletingLastPathComponent().appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{"analytics":"granted"}"#.utf8).write(to: file)
        let engine = DeliveryEngine(clock: TestClock())
        let app = delivery(engine, file)
        let configuration = configuration(queue, nil)

        async let opening: Void = app.open(configuration)
        await app.setConsent(.denied, for: .analytics)
        try await opening

        #expect(await engine.statistics().map(\.consent) == [.denied])
        #expect(!FileManager.default.fileExists(atPath: file.path))
        await engine.close(timeout: .zero)
    }

    @Test(arguments: [AppSignal.protectedDataBecameAvailable, .becameActive])
    func `nothing is sent until a file with a denial can be read, which then deletes the events`(
        signal: AppSignal
    ) async throws {
        let (queue, transport) = (try TemporaryQueue(), ScriptedTransport())
        let engine = DeliveryEngine(clock: TestClock())
        let file = try unreadableFile(beside: queue)
        defer { try? FileManager.default.removeItem(at: file) }
        let app = try await open(engine, file, configuration(queue, transport))

        let unread = await engine.flush(timeout: .seconds(1))
        try #require(unread.lanes.map(\.outcome) == [.onHold([HoldReason("unread_decisions")])])
        try FileManager.default.removeItem(at: file)
        try Data(#"{"analytics":"denied"}"#.utf8).write(to: file)
        app.receive(signal)
        while FileManager.default.fileExists(atPath: file.path) { await Task.yield() }
        _ = await engine.flush(timeout: .seconds(1))

        #expect(transport.requests.isEmpty)
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.consentDenied: 1]])
        #expect(await engine.statistics().map(\.holdReasons) == [[]])
        await engine.close(timeout: .zero)
    }

    @Test func `a decision releases the lanes of its purpose, although the file cannot be read`() async throws {
        let (queue, transport) = (try TemporaryQueue(), ScriptedTransport())
        let engine = DeliveryEngine(clock: TestClock())
        let file = try unreadableFile(beside: queue)
        defer { try? FileManager.default.removeItem(at: file) }
        let app = try await open(engine, file, configuration(queue, transport))

        await app.setConsent(.granted, for: .analytics)
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(transport.requests.count == 1)
        await engine.close(timeout: .zero)
    }

    @Test func `a decision does not replace a file that cannot be read, and both are kept when it can`() async throws {
        let queue = try TemporaryQueue()
        let (file, engine) = (queue.url.appending(path: "decisions"), DeliveryEngine(clock: TestClock()))
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        await engine.close(timeout: .zero)
        let kept = KeptDecisions(file: file)

        await kept.set(.denied, for: .marketing, on: engine)
        try FileManager.default.removeItem(at: file)
        try Data(#"{"analytics":"denied","marketing":"granted"}"#.utf8).write(to: file)
        await kept.set(.granted, for: ConsentPurpose("ads"), on: engine)

        #expect(
            KeptDecisions(file: file).decisions
                == [.analytics: .denied, .marketing: .denied, ConsentPurpose("ads"): .granted]
        )
    }

    @Test(arguments: 1...20)
    func `a kept grant that is read during a denial does not replace it`(_: Int) async throws {
        let queue = try TemporaryQueue()
        let file = try unreadableFile(beside: queue)
        defer { try? FileManager.default.removeItem(at: file) }
        let engine = try await open(queue)
        let kept = KeptDecisions(file: file)
        try FileManager.default.removeItem(at: file)
        try Data(#"{"analytics":"granted"}"#.utf8).write(to: file)

        async let reading: Void = kept.readAgain(for: engine)
        await kept.set(.denied, for: .analytics, on: engine)
        await reading

        #expect(engine.lane(LineDestination().lane).isConsentDenied)
        await engine.close(timeout: .zero)
    }

    @Test(arguments: ["", "no JSON", "[1]", #"{"analytics":1}"#, #"{"analytics":"maybe"}"#])
    func `a damaged file has no decision`(text: String) throws {
        let queue = try TemporaryQueue()
        let file = queue.url.appending(path: "decisions")
        try FileManager.default.createDirectory(at: queue.url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)

        #expect(KeptDecisions(file: file).decisions.isEmpty)
    }

    /// Returns a directory in a file's place, which cannot be read as a file.
    private func unreadableFile(beside queue: TemporaryQueue) throws -> URL {
        let file = queue.url.deletingLastPathComponent().appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        return file
    }

    /// Opens an engine whose decisions are kept in a file, and tracks an event.
    private func open(
        _ engine: DeliveryEngine,
        _ file: URL,
        _ configuration: DeliveryConfiguration
    ) async throws -> AppDelivery {
        let app = delivery(engine, file)
        try await app.open(configuration)
        engine.lane(LineDestination().lane).track("viewed", parameters: [:])
        return app
    }

    private func delivery(_ engine: DeliveryEngine, _ file: URL) -> AppDelivery {
        AppDelivery(on: engine, backgroundTask: ManualBackgroundTask(), decisions: file, environment: [:])
    }

    private func open(_ queue: TemporaryQueue, _ transport: ScriptedTransport? = nil) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(queue, transport))
        return engine
    }

    private func configuration(_ queue: TemporaryQueue, _ transport: ScriptedTransport?) -> DeliveryConfiguration {
        DeliveryConfiguration(
            directory: queue.url,
            destinations: [LineDestination()],
            transport: transport ?? ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        )
    }
}
