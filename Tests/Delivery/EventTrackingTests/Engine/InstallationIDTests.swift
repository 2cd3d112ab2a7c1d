import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

/// Tests of an installation's id that the app supplies, such as that of the SDK used before.
@Suite(.timeLimit(.minutes(5))) struct InstallationIDTests {
    private static let own = "8b5cf1f6-6a4e-4d0c-9a5e-2f1d7c3b9e10"

    @Test(arguments: [
        own, "1234567890", "$device:18f2c9d0ab", "GA1.2.1234567890.1700000000", String(repeating: "abcd", count: 50),
    ]) func `visible ASCII characters are an id`(text: String) throws {
        #expect(try InstallationID(text) == InstallationID(text))
    }

    @Test(arguments: [
        "", "unknown", "undefined", "anonymous", "null", "(null)", "00000000-0000-0000-0000-000000000000",
        "ffffffffffffffff", "with a space", "control\u{1}character", "line\nfeed\r\n1", "ünïcödé-1234",
        "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{9}", String(repeating: "abcd", count: 50) + "e",
    ]) func `an empty, too long, invisible or shared text is refused, and the error says what is needed`(text: String) {
        let error = #expect(throws: InstallationIDError.self) { try InstallationID(text) }

        #expect(error?.description.contains("10 to 200 visible ASCII characters") == true)
    }

    @Test func `all events have the supplied id, also those from before the opening and after restarts`() async throws {
        let queue = try TemporaryQueue()
        let transport = ScriptedTransport()
        var devices: [String] = []
        for run in 1...3 {
            let engine = DeliveryEngine(clock: TestClock())
            let destination = LineDestination()
            engine.lane(destination.lane).track("early \(run)", parameters: [:])
            // The third run no longer has the id of the former SDK.
            try await engine.open(configuration(transport, queue.url, run == 3 ? nil : Self.own))
            engine.lane(destination.lane).track("late \(run)", parameters: [:])
            devices.append(engine.identity.deviceID)
            await engine.close(timeout: .seconds(5))
        }

        #expect(devices == [Self.own, Self.own, Self.own])
        #expect(try queue.contents().contains(Self.own))
    }

    @Test func `a stored id takes precedence over the supplied one`() async throws {
        let queue = try TemporaryQueue()
        let created = try await run(queue.url, nil) { $0.identity.deviceID }

        let later = try await run(queue.url, Self.own) { $0.identity.deviceID }

        #expect(later == created && created != Self.own)
    }

    @Test func `a reset takes the next id, which the supplied one does not replace at a restart`() async throws {
        let queue = try TemporaryQueue()
        let next = try InstallationID("next-installation-0001")

        let ids = try await run(queue.url, Self.own) { engine in
            let first = engine.identity
            await engine.reset(installation: next)
            return [first.deviceID, engine.identity.deviceID, first.sessionID, engine.identity.sessionID]
        }
        let restarted = try await run(queue.url, Self.own) { $0.identity.deviceID }
        let created = try await run(queue.url, Self.own) { engine in
            await engine.reset()
            return engine.identity.deviceID
        }
        let last = try await run(queue.url, Self.own) { $0.identity.deviceID }

        #expect(ids[0] == Self.own && ids[1] == "next-installation-0001" && ids[2] != ids[3])
        #expect(restarted == "next-installation-0001")
        #expect(created.count == 32 && last == created)
    }

    @Test func `while the user is undecided, waiting events and later runs have the supplied id`() async throws {
        let queue = try TemporaryQueue()
        var devices: [String] = []
        for run in 1...3 {
            devices.append(
                try await self.run(queue.url, Self.own, consent: .unknown) { engine in
                    engine.lane(LineDestination().lane).track("waits \(run)", parameters: [:])
                    if run == 3 { try await engine.setConsent(.granted, for: .analytics) }
                    return engine.identity.deviceID
                }
            )
        }

        #expect(devices == [Self.own, Self.own, Self.own])
    }

    /// One decision for each letter of a run: upper case grants, lower case denies; `-` stands before the opening.
    @Test(arguments: [["d", "G"], ["dG"], ["-d", "G"], ["-dG"], ["", "d", "", "G"]])
    func `after a denial of all purposes, no run uses the supplied id again`(runs: [String]) async throws {
        let queue = try TemporaryQueue()
        var last = ""
        for run in runs {
            let engine = DeliveryEngine(clock: TestClock())
            let isEarly = run.first == "-"
            if isEarly { try? await engine.setConsent(.denied, for: .analytics) }
            try await engine.open(configuration(ScriptedTransport(), queue.url, Self.own, consent: .unknown))
            for letter in run.dropFirst(isEarly ? 2 : 0) {
                try await engine.setConsent(letter == "G" ? .granted : .denied, for: .analytics)
            }
            last = engine.identity.deviceID
            await engine.close(timeout: .zero)
            if run.contains("d"), !run.contains("G") { #expect(try !queue.contents().contains(Self.own)) }
        }

        #expect(last != Self.own && last.count == 32)
        let stored = try await run(queue.url, Self.own) { $0.identity.deviceID }
        #expect(stored == last)
    }

    @Test func `a default denial is no decision, so the first grant has the supplied id`() async throws {
        let queue = try TemporaryQueue()
        var devices: [String] = []
        for isDecided in [false, true, false] {
            let id = try await run(queue.url, Self.own, consent: .denied) { engine in
                if isDecided { try await engine.setConsent(.granted, for: .analytics) }
                return engine.identity.deviceID
            }
            devices.append(id)
            if devices.count == 1 { #expect(try !queue.contents().contains(Self.own)) }
        }
        let denied = try await run(queue.url, Self.own, consent: .denied) { engine in
            try await engine.setConsent(.denied, for: .analytics)
            return engine.identity.deviceID
        }

        #expect(devices == [Self.own, Self.own, Self.own])
        #expect(denied != Self.own)
    }

    @Test func `a refusal before any grant forgets the supplied id, too`() async throws {
        let queue = try TemporaryQueue()
        let refused = try await run(queue.url, Self.own, consent: .denied) { engine in
            try await engine.setConsent(.denied, for: .analytics)
            try await engine.setConsent(.granted, for: .analytics)
            return engine.identity.deviceID
        }

        #expect(refused != Self.own)
        #expect(try await run(queue.url, Self.own, consent: .denied) { $0.identity.deviceID } == refused)
    }

    @Test func `without a usable directory, each start has the supplied id`() async throws {
        let queue = try TemporaryQueue()
        let file = queue.url.appending(path: "file")
        try Data("no directory".utf8).write(to: file)

        for directory in [nil, file] {
            let transport = ScriptedTransport()
            for _ in 1...2 {
                let id = try await run(directory, Self.own, transport) { engine in
                    engine.lane(LineDestination().lane).track("kept", parameters: [:])
                    #expect(await engine.flush(timeout: .seconds(5)).isDrained)
                    return engine.identity.deviceID
                }
                #expect(id == Self.own)
            }
            #expect(transport.requests.count == 2)
        }
    }

    @Test(arguments: [own, "", "unknown", nil]) func `the code of the page keeps a former id, or creates one`(
        formerID: String?
    ) async throws {
        let engine = DeliveryEngine(clock: TestClock())

        try await open(engine, configuration(ScriptedTransport(), nil, nil), formerID: formerID)

        #expect(formerID == Self.own ? engine.identity.deviceID == Self.own : engine.identity.deviceID.count == 32)
        await engine.close(timeout: .zero)
    }

    func open(_ engine: DeliveryEngine, _ configuration: DeliveryConfiguration, formerID: String?) async throws {
        var configuration = configuration
        configuration.installation = formerID.flatMap { try? InstallationID($0) }
        try await engine.open(configuration)
    }

    private func run<Value>(
        _ directory: URL?,
        _ own: String?,
        _ transport: ScriptedTransport = ScriptedTransport(),
        consent: Consent = .granted,
        _ body: (DeliveryEngine) async throws -> Value
    ) async throws -> Value {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(transport, directory, own, consent: consent))
        let value = try await body(engine)
        await engine.close(timeout: .zero)
        return value
    }

    private func configuration(
        _ transport: ScriptedTransport,
        _ directory: URL?,
        _ own: String?,
        consent: Consent = .granted
    ) throws -> DeliveryConfiguration {
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [LineDestination()],
            transport: transport,
            defaultConsent: consent
        )
        configuration.installation = try own.map { text throws(InstallationIDError) in try InstallationID(text) }
        return configuration
    }
}
