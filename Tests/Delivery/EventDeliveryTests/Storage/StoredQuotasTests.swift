import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

/// Tests of a quotas document in an engine, and of its storage.
@Suite(.timeLimit(.minutes(5))) struct StoredQuotasTests {
    private let queue: TemporaryQueue
    private let lane = LineDestination().lane
    private let viewedOff = #"{"version": 1, "events": {"viewed": {"off": true}}}"#
    private let tappedOff = #"{"version": 1, "events": {"tapped": {"off": true}}}"#

    init() throws {
        queue = try TemporaryQueue()
    }

    // MARK: In an open engine

    @Test func `a document drops and counts events from the call on, and the next one replaces it as a whole`()
        async throws
    {
        let engine = try await opened()
        track(engine, "viewed")
        await engine.storeBuffered()

        let document = #"""
            {"version": 1, "note": "",
             "events": {"viewed": {"off": true, "perMinute": 1e9}, "scrolled": {"sample": -3}},
             "products": {"T": {"perMinute": 1}}}
            """#
        let accepted = try await engine.setQuotas(document: Data(document.utf8))
        track(engine, "viewed", "scrolled", "tapped", "tapped")
        try await engine.setQuotas(document: #"{"version": 1}"#.utf8)
        track(engine, "viewed", "scrolled", "tapped", "tapped")
        await engine.storeBuffered()

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(accepted == (entries: 3, clamped: 2, ignored: 1))
        #expect(ledger.dropped == [.switchedOff: 1, .sampledOut: 1, .rateCapped: 1])
        #expect(ledger.accepted == 9)
        try await LedgerCheck.check(engine)
    }

    @Test func `a rejected document leaves the quotas in effect and the stored document`() async throws {
        let engine = try await opened()
        try await engine.setQuotas(document: viewedOff.utf8)

        for document in ["{", #"{"version": 1, "events": {"tapped": {"off": true}, "viewed": {"off": 0}}}"#] {
            await #expect(throws: QuotasError.self) { try await engine.setQuotas(document: document.utf8) }
        }
        track(engine, "viewed", "tapped")
        await engine.close(timeout: .zero)

        #expect(try await dropped(by: await opened()) == ["viewed"])
        #expect(try #require(await engine.statistics().first).ledger.dropped == [.switchedOff: 1])
    }

    @Test func `a stored document is in effect as soon as an engine in memory can use its directory`() async throws {
        let first = try await opened()
        try await first.setQuotas(document: viewedOff.utf8)
        await first.close(timeout: .zero)
        for name in try FileManager.default.contentsOfDirectory(atPath: queue.url.path) where name != "quotas" {
            try FileManager.default.removeItem(at: queue.url.appending(path: name))
        }
        DiskFaults.set(.open(EMFILE), for: queue.url)

        let engine = try await opened()
        track(engine, "viewed")
        await engine.storeBuffered()
        DiskFaults.set(nil, for: queue.url)
        await engine.storeBuffered()
        track(engine, "viewed", "tapped")
        await engine.storeBuffered()

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.dropped == [.switchedOff: 1])
        #expect(ledger.accepted == 3)
    }

    @Test func `a buffered event is dropped if the document switches it off, and a stored event is sent`() async throws
    {
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()
        let engine = harness.engine
        track(engine, "viewed")
        await engine.storeBuffered()
        await engine.suspendStorage()
        async let receipt = engine.lane(lane).trackUntilStored("viewed", parameters: [:])
        while engine.unstoredCount == 0 { await Task.yield() }

        await #expect(throws: QuotasError.notStored(.suspended)) {
            try await engine.setQuotas(document: viewedOff.utf8)
        }
        let outcome = await receipt.outcome
        harness.transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        await engine.resumeStorage()
        let report = await engine.flush(timeout: .seconds(60))

        #expect(outcome == .dropped(.switchedOff))
        #expect(report.isDrained)
        #expect(await harness.ledger.delivered == 1)
        #expect(await harness.ledger.dropped == [.switchedOff: 1])
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: [
        (#"{"events": {"viewed": {"off": true}}"#, DropReason.switchedOff),
        (#"{"lanes": {"T/lines": {"sample": 0}}"#, .sampledOut),
        (#"{"products": {"T": {"perMinute": 0}}"#, .rateCapped),
    ])
    func `a receipt and an explanation name the reason`(document: String, reason: DropReason) async throws {
        let engine = try await opened()
        try await engine.setQuotas(document: (document + #", "version": 1}"#).utf8)

        let receipt = await engine.lane(lane).trackUntilStored("viewed", parameters: [:])

        #expect(receipt.dropReason == reason)
        #expect(await engine.explain(receipt.id) == EventExplanation(lane: lane, status: .dropped(reason)))
    }

    @Test func `a lane that is switched off is explained`() async throws {
        let engine = try await opened()
        try await engine.setQuotas(document: #"{"version": 1, "lanes": {"T/lines": {"off": true}}}"#.utf8)
        let before = await engine.statistics().first?.explanation

        track(engine, "viewed", "tapped")

        #expect(before == nil)
        let explanation = await engine.statistics().first?.explanation
        #expect(explanation?.hasPrefix("2 events are dropped: switched off by the quotas document") == true)
    }

    @Test func `an app logs an accepted, a rejected and an unstored document`() async throws {
        let engine = try await opened()
        let document = #"""
            {
                "version": 1,
                "events": { "list_scrolled": { "sample": 0.1 }, "order_completed": { "off": false } },
                "lanes": {
                    "DL/awesomeTracking": { "perMinute": 600 },
                    "DL/braze": { "events": { "list_scrolled": { "off": true } } }
                },
                "products": { "SF": { "off": true } }
            }
            """#
        var messages: [String] = []
        func log(_ message: String) { messages.append(message) }

        func use(_ document: Data) async {
            do {
                let accepted = try await engine.setQuotas(document: document)
                log("quotas: \(accepted.entries) entries, \(accepted.clamped) clamped, \(accepted.ignored) ignored")
            } catch .notStored(let reason) {
                log("the quotas are in effect until the process ends: \(reason)")
            } catch {
                log("the quotas stay as they are: \(error)")
            }
        }
        await use(Data(document.utf8))
        await use(Data("<html>".utf8))
        await engine.suspendStorage()
        await use(Data(viewedOff.utf8))

        #expect(
            messages == [
                "quotas: 6 entries, 0 clamped, 0 ignored",
                "the quotas stay as they are: the quotas document is malformed",
                "the quotas are in effect until the process ends: the app has suspended the storage",
            ]
        )
    }

    @Test func `calls at the same time leave the same document in effect and stored`() async throws {
        for _ in 1...20 {
            let engine = try await opened()
            await withTaskGroup(of: Void.self) { group in
                for document in [viewedOff, tappedOff] {
                    group.addTask { _ = try? await engine.setQuotas(document: document.utf8) }
                }
            }
            let inForce = try await dropped(by: engine)
            await engine.close(timeout: .zero)

            let next = try await opened()
            let restored = try await dropped(by: next)
            await next.close(timeout: .zero)

            #expect(inForce.count == 1)
            #expect(restored == inForce)
        }
    }

    // MARK: Across starts

    @Test func `without a document nothing is dropped, and no file is made`() async throws {
        let engine = try await opened()

        #expect(try await dropped(by: engine).isEmpty)
        #expect(!queue.files.contains("quotas"))
    }

    @Test(arguments: [true, false])
    func `the last accepted document is in effect after a restart, also for events tracked before the opening`(
        isKilled: Bool
    ) async throws {
        let engine = try await opened()
        try await engine.setQuotas(document: tappedOff.utf8)
        try await engine.setQuotas(document: viewedOff.utf8)
        // The copy has the files of a process killed now.
        let copy = try queue.copy()
        await engine.close(timeout: .zero)

        let next = DeliveryEngine(clock: TestClock())
        track(next, "viewed", "tapped")
        try await open(next, in: isKilled ? copy.url : queue.url)
        track(next, "viewed", "tapped")
        await next.storeBuffered()

        let ledger = try #require(await next.statistics().first).ledger
        #expect(ledger.dropped == [.switchedOff: 2])
        #expect(ledger.accepted == 4)
        try await LedgerCheck.check(next)
    }

    @Test func `a document that precedes the configuration's quotas also does so at a start`() async throws {
        let engine = try await opened()
        try await engine.setQuotas(document: #"{"version": 1, "events": {"viewed": {"sample": 1}}}"#.utf8)
        await engine.close(timeout: .zero)

        let next = DeliveryEngine(clock: TestClock())
        track(next, "viewed", "tapped")
        try await open(next, in: queue.url, quotas: TrackQuotas(sampling: ["viewed": 0, "tapped": 0]))
        await next.storeBuffered()

        let ledger = try #require(await next.statistics().first).ledger
        #expect(ledger.dropped == [.sampledOut: 1])
    }

    @Test func `a document before the opening is in effect at once, and the opening stores it`() async throws {
        let first = try await opened()
        try await first.setQuotas(document: tappedOff.utf8)
        await first.close(timeout: .zero)

        let engine = DeliveryEngine(clock: TestClock())
        await #expect(throws: QuotasError.notStored(.notOpen)) { try await engine.setQuotas(document: viewedOff.utf8) }
        track(engine, "viewed")
        try await open(engine, in: queue.url)
        #expect(try await dropped(by: engine) == ["viewed"])
        await engine.close(timeout: .zero)

        #expect(try await dropped(by: await opened()) == ["viewed"])
    }

    @Test func `a damaged document counts as none and is reported, and the next call replaces it`() async throws {
        let engine = try await opened()
        try await engine.setQuotas(document: viewedOff.utf8)
        await engine.close(timeout: .zero)
        let file = queue.url.appending(path: "quotas")
        let bytes = try Data(contentsOf: file)

        for offset in bytes.indices {
            var damaged = bytes
            damaged[offset] ^= 0x20
            try damaged.write(to: file)
            let next = DeliveryEngine(clock: TestClock())
            var diagnostics = next.diagnostics().makeAsyncIterator()
            try await open(next, in: queue.url)

            #expect(await diagnostics.next() == .quotasLost(.corrupt), "at \(offset)")
            await next.close(timeout: .zero)
        }
        let last = try await opened()
        #expect(try await dropped(by: last).isEmpty)
        try await last.setQuotas(document: viewedOff.utf8)
        await last.close(timeout: .zero)
        #expect(try await dropped(by: await opened()) == ["viewed"])
    }

    @Test(arguments: 0...3)
    func `a file that is not the engine's is not read, and is replaced`(kind: Int) async throws {
        let file = queue.url.appending(path: "quotas")
        let other = try TemporaryQueue()
        let target = other.url.appending(path: "target")
        try Data("target".utf8).write(to: target)
        switch kind {
        case 0: try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        case 1: try FileManager.default.linkItem(at: target, to: file)
        case 2: try Data(repeating: 0x20, count: 1_048_577).write(to: file)
        default: unsafe mkfifo(file.path, 0o600)
        }

        let engine = DeliveryEngine(clock: TestClock())
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await open(engine, in: queue.url)
        guard case .quotasLost = await diagnostics.next() else {
            Issue.record("no diagnostic")
            return
        }
        try await engine.setQuotas(document: viewedOff.utf8)
        await engine.close(timeout: .zero)

        #expect(try await dropped(by: await opened()) == ["viewed"])
        #expect(try Data(contentsOf: target) == Data("target".utf8))
    }

    @Test func `a document that cannot be stored is in effect, and the same call stores it later`() async throws {
        let engine = try await opened()
        let file = queue.url.appending(path: "quotas")
        try FileManager.default.createDirectory(
            at: file.appending(path: "entry"),
            withIntermediateDirectories: true
        )

        await #expect(throws: QuotasError.self) { try await engine.setQuotas(document: viewedOff.utf8) }
        #expect(try await dropped(by: engine) == ["viewed"])
        try FileManager.default.removeItem(at: file)
        try await engine.setQuotas(document: viewedOff.utf8)
        await engine.close(timeout: .zero)

        #expect(try await dropped(by: await opened()) == ["viewed"])
    }

    @Test func `a process that waits for its directory stores its document when the directory is free`() async throws {
        let first = try await opened()
        try await first.setQuotas(document: tappedOff.utf8)
        let second = try await opened()

        await #expect(throws: QuotasError.notStored(.directoryInUse)) {
            try await second.setQuotas(document: viewedOff.utf8)
        }
        #expect(try await dropped(by: second) == ["viewed"])
        await first.close(timeout: .zero)
        await second.storeBuffered()
        await second.close(timeout: .zero)

        #expect(try await dropped(by: await opened()) == ["viewed"])
    }

    @Test func `a document that another process has stored during a suspension is in effect afterwards`() async throws {
        let app = try await opened()
        try await app.setQuotas(document: tappedOff.utf8)
        await app.suspendStorage()
        let other = try await opened()
        try await other.setQuotas(document: viewedOff.utf8)
        await other.close(timeout: .zero)

        await app.resumeStorage()

        #expect(try await dropped(by: app) == ["viewed"])
    }

    @Test func `a lost file is written again when the directory is opened again`() async throws {
        let app = try await opened()
        try await app.setQuotas(document: viewedOff.utf8)
        await app.suspendStorage()
        try FileManager.default.removeItem(at: queue.url.appending(path: "quotas"))

        await app.resumeStorage()
        await app.close(timeout: .zero)

        #expect(try await dropped(by: await opened()) == ["viewed"])
    }

    @Test func `an engine without a directory uses a document until it ends`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        try await open(engine, in: nil)

        try await engine.setQuotas(document: viewedOff.utf8)

        #expect(try await dropped(by: engine) == ["viewed"])
    }

    @Test func `a closed engine stores no document`() async throws {
        let engine = try await opened()
        await engine.close(timeout: .zero)

        await #expect(throws: QuotasError.notStored(.notOpen)) { try await engine.setQuotas(document: viewedOff.utf8) }
        #expect(!queue.files.contains("quotas"))
    }

    // MARK: Helpers

    private func opened() async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        try await open(engine, in: queue.url)
        return engine
    }

    private func open(_ engine: DeliveryEngine, in directory: URL?, quotas: TrackQuotas = .none) async throws {
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [LineDestination()],
            transport: ScriptedTransport()
        )
        configuration.quotas = quotas
        try await engine.open(configuration)
    }

    private func track(_ engine: DeliveryEngine, _ names: String...) {
        for name in names { engine.lane(lane).track(name, parameters: [:]) }
    }

    /// Returns the names of the events dropped by an engine because they are switched off.
    private func dropped(by engine: DeliveryEngine) async throws -> [String] {
        var names: [String] = []
        for name in ["viewed", "tapped"] {
            let before = await switchedOff(engine)
            track(engine, name)
            if await switchedOff(engine) > before { names.append(name) }
        }
        return names
    }

    private func switchedOff(_ engine: DeliveryEngine) async -> Int {
        await engine.statistics().first?.ledger.dropped[.switchedOff] ?? 0
    }
}

private func == (left: AcceptedQuotas, right: (entries: Int, clamped: Int, ignored: Int)) -> Bool {
    (left.entries, left.clamped, left.ignored) == right
}
