import AppTracking
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Locks
import Testing

@Suite(.timeLimit(.minutes(5))) struct SharedDecisionsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "container-\(UUID().uuidString)")
    private let destination = LineDestination()
    private var container: TrackingContainer { TrackingContainer(folder) }

    @Test func `an extension sends only after the app has granted, and with the app's installation`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ScriptedTransport()
        let widget = try await open(.extension("widget"), transport)
        track("early", by: widget)
        let unknown = await widget.flush(timeout: .zero)
        let app = try await open(.app, transport)

        try await app.setConsent(.granted, for: .analytics)
        let granted = await widget.flush(timeout: .seconds(5))

        #expect(!unknown.isDrained && granted.isDrained)
        #expect(transport.text.contains("early"))
        #expect(!app.identity.deviceID.isEmpty && widget.identity.deviceID == app.identity.deviceID)
        try await LedgerCheck.check(widget)
        await widget.close(timeout: .zero)
        await app.close(timeout: .zero)
    }

    @Test func `an extension's events have the app's installation, also before the user's decision`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await open(.app, ScriptedTransport())
        let devices = Mutex<[String]>([])
        for run in 1...4 {
            let widget = DeliveryEngine(clock: TestClock())
            // Before the opening, no installation is known.
            track("early", by: widget)
            var configuration = configuration(of: .extension("widget"), ScriptedTransport())
            configuration.destinations = [
                WatchedDestination(base: destination) { event in
                    devices.withLock { $0.append(event.identity.deviceID) }
                }
            ]
            try await widget.open(configuration)
            track("seen", by: widget)
            if run == 4 { try await app.setConsent(.granted, for: .analytics) }
            _ = await widget.flush(timeout: run == 4 ? .seconds(5) : .zero)
            await widget.close(timeout: .zero)
        }

        let found = devices.withLock { $0 }
        #expect(found.count == 8)
        #expect(Set(found) == [app.identity.deviceID])
        await app.close(timeout: .zero)
    }

    @Test func `an extension that runs before the app has the id that both supply, later the app's`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (own, other) = (try InstallationID("former-sdk-7a61c4"), try InstallationID("other-sdk-99b2d0"))
        func open(_ member: TrackingContainer.Member, _ id: InstallationID) async throws -> DeliveryEngine {
            let engine = DeliveryEngine(clock: TestClock())
            var configuration = configuration(of: member, ScriptedTransport())
            configuration.installation = id
            try await engine.open(configuration)
            return engine
        }

        let early = try await open(.extension("widget"), own)
        let first = early.identity.deviceID
        await early.close(timeout: .zero)
        let app = try await open(.app, own)
        await app.reset(installation: other)
        let late = try await open(.extension("widget"), own)

        #expect(first == "former-sdk-7a61c4")
        #expect(late.identity.deviceID == app.identity.deviceID && app.identity.deviceID == "other-sdk-99b2d0")
        await late.close(timeout: .zero)
        await app.close(timeout: .zero)
    }

    @Test func `an extension drops its events at its next flush after a denial of the app, even after a new grant`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ScriptedTransport()
        let app = try await open(.app, transport)
        try await app.setConsent(.granted, for: .analytics)
        let widget = try await open(.extension("widget"), transport)
        widget.hold(reason: .maintenance)
        track("DENIED", by: widget)
        await widget.storeBuffered()

        try await app.setConsent(.denied, for: .analytics)
        try await app.setConsent(.granted, for: .analytics)
        track("DENIED", by: widget)
        await widget.storeBuffered()
        widget.release(reason: .maintenance)
        track("later", by: widget)
        let report = await widget.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(!transport.text.contains("DENIED") && transport.text.contains("later"))
        #expect(await widget.statistics().first?.ledger.dropped[.consentDenied] == 2)
        await widget.close(timeout: .zero)
        await app.close(timeout: .zero)
    }

    @Test func `an extension accepts and sends nothing new while the app's decisions cannot be read`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ScriptedTransport()
        let app = try await open(.app, transport)
        try await app.setConsent(.granted, for: .analytics)
        try await open(.extension("widget"), transport).close(timeout: .zero)
        try Data("123 4\nodd".utf8).write(to: container.decisions.file)

        let widget = try await open(.extension("widget"), transport)
        track("kept", by: widget)
        let unreadable = await widget.flush(timeout: .zero)
        let sentBefore = transport.text
        try await app.setConsent(.unknown, for: .analytics)
        try await app.setConsent(.granted, for: .analytics)
        let report = await widget.flush(timeout: .seconds(5))

        #expect(!unreadable.isDrained && !sentBefore.contains("kept"))
        #expect(report.isDrained && transport.text.contains("kept"))
        await widget.close(timeout: .zero)
        await app.close(timeout: .zero)
    }

    @Test func `applying decisions to free directories leaves no byte of a denied event`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        let app = try await open(.app, transport)
        try await app.setConsent(.granted, for: .analytics)
        let (widget, share) = (
            try await open(.extension("widget"), transport), try await open(.extension("share"), transport)
        )
        for engine in [widget, share] {
            track("CANARY", by: engine)
            await engine.storeBuffered()
        }
        await widget.close(timeout: .zero)

        try await app.setConsent(.denied, for: .analytics)
        let error = await #expect(throws: SharedDecisionsError.self) {
            try await container.decisions.apply(to: container.extensionDirectories)
        }

        #expect(
            error?.failures.map { ($0.key.lastPathComponent, $0.value) }.first ?? ("", .full) == (
                "share", .directoryInUse
            )
        )
        #expect(error?.failures.count == 1)
        #expect(try !contents(of: "widget").contains("CANARY"))
        #expect(try contents(of: "share").contains("CANARY"))
        await share.storeBuffered()
        await share.close(timeout: .zero)
        try await container.decisions.apply(to: container.extensionDirectories)
        #expect(try !contents(of: "share").contains("CANARY"))
        await app.close(timeout: .zero)
    }

    @Test func `applying decisions leaves an extension its installation and its session`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await open(.app, ScriptedTransport())
        try await app.setConsent(.granted, for: .analytics)
        let first = try await open(.extension("widget"), ScriptedTransport())
        track("seen", by: first)
        _ = await first.flush(timeout: .seconds(5))
        let session = first.identity.sessionID
        await first.close(timeout: .zero)

        try await container.decisions.apply(to: container.extensionDirectories)
        let second = try await open(.extension("widget"), ScriptedTransport())

        #expect(second.identity.sessionID == session)
        #expect(second.identity.deviceID == app.identity.deviceID)
        await second.close(timeout: .zero)
        await app.close(timeout: .zero)
    }

    @Test func `an erasure of the app reaches a directory that is opened later, and only once`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let offline = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        let app = try await open(.app, offline)
        try await app.setConsent(.granted, for: .analytics)
        let first = try await open(.extension("widget"), offline)
        first.user.identify("ada")
        track("ERASED", by: first)
        await first.close(timeout: .zero)

        try await app.erase(user: "ada")
        let transport = ScriptedTransport()
        let second = try await open(.extension("widget"), transport)
        second.user.identify("ada")
        track("again", by: second)
        let report = await second.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(!transport.text.contains("ERASED") && transport.text.contains("again"))
        await second.close(timeout: .zero)
        await app.close(timeout: .zero)
    }

    @Test func `the app delivers only directories that have not changed for a while`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await openBesideClosedWidget()
        let transport = ScriptedTransport()
        let configuration = configuration(of: .app, transport)

        let recent = try await DeliveryEngine.deliver(
            directories: container.extensionDirectories,
            with: configuration,
            timeout: .seconds(5)
        )
        let reports = try await DeliveryEngine.deliver(
            directories: container.extensionDirectories,
            with: configuration,
            unusedFor: .zero,
            timeout: .seconds(5)
        )

        #expect(recent.isEmpty)
        #expect(reports.values.map(\.isDrained) == [true] && transport.text.contains("left"))
        await app.close(timeout: .zero)
    }

    @Test func `the app delivers a directory whose last change lies in the future`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await openBesideClosedWidget()
        let directory = try #require(container.extensionDirectories.first)
        let future = Date(timeIntervalSinceNow: 10 * 365 * 86_400)
        for file in try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil) {
            try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: file.path)
        }
        let transport = ScriptedTransport()

        let reports = try await DeliveryEngine.deliver(
            directories: [directory],
            with: configuration(of: .app, transport),
            timeout: .seconds(5)
        )

        #expect(reports.values.map(\.isDrained) == [true] && transport.text.contains("left"))
        await app.close(timeout: .zero)
    }

    @Test func `a directory in use takes no time of the others`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await openBesideClosedWidget()
        let transport = ScriptedTransport()
        let (used, unused) = (container.directory(of: .app), container.directory(of: .extension("widget")))

        let reports = try await DeliveryEngine.deliver(
            directories: [used, unused],
            with: configuration(of: .app, transport),
            unusedFor: .zero,
            timeout: .seconds(30)
        )

        #expect(reports[used]?.isDrained == false && reports[unused]?.isDrained == true)
        #expect(transport.text.contains("left"))
        await app.close(timeout: .zero)
    }

    @Test func `a cancelled delivery releases its directory at once, and opens no other`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await openBesideClosedWidget()
        let transport = ScriptedTransport { _, _ in .hang }
        let directory = container.directory(of: .extension("widget"))
        let configuration = configuration(of: .app, transport)
        let delivery = Task {
            try await DeliveryEngine.deliver(
                directories: [directory, container.directory(of: .app)],
                with: configuration,
                unusedFor: .zero,
                timeout: .seconds(600)
            )
        }
        while transport.requests.isEmpty { await Task.yield() }

        delivery.cancel()
        let reports = try await delivery.value

        #expect(reports.keys.map(\.path) == [directory.path])
        await app.close(timeout: .zero)
    }

    @Test func `a decision that cannot be published to extensions is reported, and published later`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = try await open(.app, ScriptedTransport())
        let file = container.decisions.file
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        try Data().write(to: file.appending(path: "blocks"))

        await #expect(throws: DecisionError.self) { try await app.setConsent(.denied, for: .analytics) }
        #expect(await app.statistics().allSatisfy { $0.storageFailure == nil })
        try FileManager.default.removeItem(at: file)
        await app.storeBuffered()

        #expect(try String(contentsOf: file, encoding: .utf8).contains("denied"))
        await app.close(timeout: .zero)
    }

    // MARK: Engines

    /// Opens the app's engine offline, beside the directory of an extension that has left an event.
    private func openBesideClosedWidget() async throws -> DeliveryEngine {
        let offline = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        let app = try await open(.app, offline)
        try await app.setConsent(.granted, for: .analytics)
        let widget = try await open(.extension("widget"), offline)
        track("left", by: widget)
        await widget.close(timeout: .zero)
        return app
    }

    private func configuration(of member: TrackingContainer.Member, _ transport: ScriptedTransport)
        -> DeliveryConfiguration
    {
        var configuration = DeliveryConfiguration(
            directory: container.directory(of: member),
            destinations: [destination],
            transport: transport,
            defaultConsent: .unknown
        )
        configuration.sharing = container.sharing(of: member)
        return configuration
    }

    private func open(_ member: TrackingContainer.Member, _ transport: ScriptedTransport) async throws -> DeliveryEngine
    {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(of: member, transport))
        return engine
    }

    private func track(_ text: String, by engine: DeliveryEngine) {
        engine.lane(destination.lane).track("viewed", parameters: ["text": .string(text)])
    }

    private func contents(of name: String) throws -> Data {
        try TemporaryQueue.contents(of: container.directory(of: .extension(name)))
    }
}

private struct WatchedDestination: DestinationWrapper {
    let base: any Destination
    let watch: @Sendable (OutgoingEvent) -> Void

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        watch(event)
        try base.encode(event, into: &encoder)
    }
}

extension ScriptedTransport {
    /// The bodies of all requests.
    fileprivate var text: String { requests.map { String(decoding: $0.body, as: UTF8.self) }.joined() }
}
