import AwesomeTracking
import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventTracking

/// Each cause for which events do not arrive, as `statistics()` and the queue tool report it.
@Suite(.timeLimit(.minutes(5))) struct LaneStatisticsTests {
    /// A situation in which events do not arrive.
    enum Situation: Sendable {
        case action(ScriptedTransport.Action)
        case consent(Consent)
        case withoutDestination
        case brokenRule
        case oneRefused
        case fullDisk
        case inUse
        case wrongClock
    }

    typealias Row = (name: String, situation: Situation, sentence: String)

    static let rows: [Row] = [
        (
            "wrong password", refusal(403, "Code: 516. DB::Exception: t: Authentication failed"),
            "refuses the credentials"
        ),
        ("missing table", refusal(404, "Code: 60. DB::Exception: No table awesome.events"), "has no such table"),
        ("missing column", refusal(404, "Code: 16. DB::Exception: No column props"), "table lacks a column"),
        ("no such path", refusal(404, "not found"), "there is no such endpoint"),
        ("receiver down", .action(.fail(.connectionRefused)), "127.0.0.1:8123 refused the connection"),
        ("receiver busy", .action(.asking(for: 1)), "the receiver is busy or fails (status 503)"),
        ("TLS not trusted", .action(.fail(.untrusted)), "the certificate of 127.0.0.1:8123 is not trusted"),
        ("captive portal", .action(.status(302)), "captive portal"),
        ("a long wait", .action(.respond(tooMany)), "limits the request rate (status 429): the engine waits"),
        (
            "another protocol", .action(.status(415)),
            "does not accept the format or the compression of the body (status 415)"
        ),
        ("consent unknown", .consent(.unknown), "waits for consent to analytics: 1 event is kept"),
        ("consent denied", .consent(.denied), "consent to analytics is denied: 1 event dropped"),
        ("lane without destination", .withoutDestination, "the lane has no destination: "),
        ("event refused by a rule", .brokenRule, "1 event is refused by the rule name_empty"),
        ("quarantined event", .oneRefused, "1 event is in quarantine, refused by the receiver"),
        ("disk full", .fullDisk, " is full: free space; events are kept in memory until then"),
        ("directory in use by another engine", .inUse, "another engine of this process uses the directory /"),
        ("clock wrong", .wrongClock, "the device's clock is 3 days behind the receiver's: correct it"),
    ]

    @Test(arguments: rows) func `statistics and the queue tool name each cause in one sentence`(row: Row) async throws {
        let scene = try await CauseScene(row.situation)

        let sentence = await scene.explanation ?? ""
        let reported = await scene.reported(row.sentence)
        let shown = try await scene.shown()
        await scene.close()

        #expect(sentence.contains(row.sentence) && !sentence.contains("\n"))
        // The tool knows no destinations.
        if case .withoutDestination = row.situation { #expect(sentence.hasSuffix("did you mean T/awesomeTracking?")) }
        if case .inUse = row.situation {
            #expect(shown.first?.contains("in use by process \(getpid());") == true, "\(shown)")
        } else if case .fullDisk = row.situation {
            // The events are only in memory, and the disk reserve is left for decisions.
            #expect(shown.contains("  cause    no problem"), "\(shown)")
        } else if case .consent(.unknown) = row.situation {
            // The user has not decided, and the file does not contain the app's default.
            #expect(shown.contains { $0.hasPrefix("  cause    1 event is kept for the next start") }, "\(shown)")
        } else {
            #expect(shown.contains { $0.hasPrefix("  cause    ") && reported.contains(where: $0.contains) }, "\(shown)")
        }
    }

    @Test func `an acknowledgement ends the cause`() async throws {
        let harness = LaneHarness { _, number in number == 1 ? .status(503) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        harness.clock.advance(by: try #require(await diagnostics.nextRetry()))

        #expect(await harness.engine.flush(timeout: .seconds(5)).isDrained)

        let lane = try #require(await harness.engine.statistics().first)
        #expect(lane.lastFailure == nil && lane.explanation == nil)
    }

    @Test(arguments: [
        ("https://a.example", "old", false), ("https://b.example", "old", true), ("https://a.example", "new", true),
    ])
    func `a pause of an earlier run is reported as such, and another configuration is tried at once`(
        endpoint: String,
        password: String,
        isTried: Bool
    ) async throws {
        let queue = try TemporaryQueue()
        let first = try await paused(in: queue, endpoint: "https://a.example", password: "old")

        let second = try await paused(in: queue, endpoint: endpoint, password: password)

        #expect(first.requests == 1 && first.lane?.explanation?.hasPrefix("the receiver refuses the cred") == true)
        #expect(second.requests == (isTried ? 1 : 0))
        let history = "paused since 10:00 UTC by status 401 in an earlier run: correct the credentials"
        #expect(second.lane?.isPausedByEarlierRun == !isTried)
        #expect(second.lane?.explanation?.hasPrefix(history) == !isTried, "\(second.lane?.explanation ?? "")")
    }

    @Test(arguments: [
        ("https://a.example", "old", false), ("https://b.example", "old", true), ("https://a.example", "new", true),
    ])
    func `a wait of an earlier run is reported as such, and another configuration is tried at once`(
        endpoint: String,
        password: String,
        isTried: Bool
    ) async throws {
        let queue = try TemporaryQueue()
        let wait = ScriptedTransport.Action.asking(for: 600)
        let first = try await paused(in: queue, endpoint: "https://a.example", password: "old", wait)

        let second = try await paused(in: queue, endpoint: endpoint, password: password, isTried ? .status(200) : wait)

        #expect(first.lane?.explanation?.hasPrefix("the receiver is busy or fails (status 503)") == true)
        #expect((second.requests > 0) == isTried)
        let history = "in an earlier run, the receiver is busy or fails (status 503): the engine tries again, next in 1"
        #expect(second.lane?.explanation?.hasPrefix(history) == (isTried ? nil : true))
        #expect((second.lane?.lastFailure == nil) == isTried)
    }

    /// Tracks an event for a receiver that refuses the password, and flushes twice.
    private func paused(
        in queue: TemporaryQueue,
        endpoint: String,
        password: String,
        _ action: ScriptedTransport.Action = .status(401)
    ) async throws -> (lane: LaneStatistics?, requests: Int) {
        let (engine, transport) = (DeliveryEngine(clock: TestClock()), ScriptedTransport { _, _ in action })
        let configuration = try ClickHouseConfiguration(
            endpoint: Endpoint(endpoint),
            user: "u",
            password: Secret(password)
        )
        let destination = ClickHouseDestination(product: "T", configuration: configuration)
        try await engine.open(
            DeliveryConfiguration(directory: queue.url, destinations: [destination], transport: transport)
        )
        engine.lane(destination.lane).track("viewed", parameters: [:])
        for _ in 1...2 { _ = await engine.flush(timeout: .seconds(60)) }
        let lane = await engine.statistics().first
        await engine.close(timeout: .zero)
        return (lane, transport.requests.count)
    }

    @Test(arguments: [Consent.unknown, .denied])
    func `missing consent is a cause only if it concerns events`(consent: Consent) async throws {
        let (engine, destination) = (DeliveryEngine(clock: TestClock()), LineDestination(purpose: .marketing))
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [destination],
            transport: ScriptedTransport()
        )
        configuration.consent = [.analytics: .granted, .marketing: consent]
        try await engine.open(configuration)

        let before = await engine.statistics().first
        engine.lane(destination.lane).track("viewed", parameters: [:])
        await engine.storeBuffered()
        let after = await engine.statistics().first
        await engine.close(timeout: .zero)

        #expect(before?.consent == consent && before?.purpose == .marketing && before?.explanation == nil)
        #expect(after?.explanation?.contains(" consent to marketing") == (consent == .unknown))
        #expect(after?.explanation?.hasPrefix("consent to marketing is denied: 1 event") == (consent == .denied))
    }

    @Test func `requests and failures of an engine are counted`() async throws {
        let clock = TestClock()
        let harness = LaneHarness(clock: clock) { _, number in
            clock.advance(by: .seconds(2))
            return number == 1 ? .status(503) : .status(200)
        }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()

        harness.track([1])
        if let wait = await diagnostics.nextRetry() { clock.advance(by: wait) }
        _ = await harness.engine.flush(timeout: .seconds(3_600))

        let requests = try #require(await harness.engine.statistics().first?.requests)
        #expect((requests.count, requests.failed) == (2, 1))
        #expect(requests.duration == .seconds(4))
        await harness.engine.close(timeout: .zero)
    }

    @Test(arguments: [
        (0, "0 s"), (119, "119 s"), (120, "2 min"), (7_200, "2 h"), (172_799, "47 h"), (172_800, "2 days"),
    ])
    func `a duration is written in a suitable unit`(seconds: Int, text: String) {
        #expect(Duration.seconds(seconds).inOneUnit == text)
    }

    private static let tooMany = HTTPResponse(status: 429, headers: ["Retry-After": "9000"])

    private static func refusal(_ status: Int, _ text: String) -> Situation {
        .action(.respond(HTTPResponse(status: status, body: Array(text.utf8))))
    }
}

@Suite(.timeLimit(.minutes(5))) struct NoResponseTests {
    @Test(arguments: [
        TransportError.timedOut, .cancelled, .hostNotFound, .connectionRefused, .connectionLost, .handshakeFailed,
        .connectionFailed(code: 7), .untrusted, .hostMismatch, .unreadableAuthorities, .unusableCertificate,
        .proxyFailed(proxy: "squid:3128", status: 407), .proxyFailed(proxy: "squid:3128", status: nil),
        .invalidResponse,
    ]) func `each error of a transport has its sentence`(error: TransportError) {
        let cause = Attempt.failed(error, within: .seconds(30)).cause

        let failure = LaneFailure(time: Timestamp(microseconds: 0), kind: .retry, code: cause)

        #expect(failure.noResponse.name == NoResponseTests.name(of: error))
    }

    /// The name of an error's explanation.
    ///
    /// A new error needs a row above.
    private static func name(of error: TransportError) -> String {
        switch error {
        case .timedOut: "no_response"
        case .hostNotFound: "host_not_found"
        case .connectionRefused: "connection_refused"
        case .connectionLost: "connection_lost"
        case .handshakeFailed: "handshake_failed"
        case .untrusted: "untrusted"
        case .hostMismatch: "host_mismatch"
        case .unreadableAuthorities: "authorities"
        case .unusableCertificate: "certificate"
        case .proxyFailed: "proxy"
        case .invalidResponse: "invalid_response"
        case .cancelled, .connectionFailed: "connection_failed"
        }
    }
}

/// An engine in a situation, with its queue in a directory.
private struct CauseScene {
    private let situation: LaneStatisticsTests.Situation
    private let queue: TemporaryQueue
    private let engine: DeliveryEngine
    private let lane: LaneID

    /// Brings an engine into a situation, and waits until it is in it.
    init(_ situation: LaneStatisticsTests.Situation) async throws {
        self.situation = situation
        let (queue, transport) = (try TemporaryQueue(), ScriptedTransport())
        let destination = ClickHouseDestination(
            product: "T",
            configuration: try ClickHouseConfiguration(endpoint: Endpoint("http://127.0.0.1:8123"))
        )
        engine = DeliveryEngine(clock: TestClock())
        self.queue = queue
        var consent = Consent.granted
        if case .consent(let said) = situation { consent = said }
        let isUnserved = if case .withoutDestination = situation { true } else { false }
        lane = isUnserved ? LaneID(product: "TX", service: "awesomeTracking") : destination.lane
        transport.setScript { request, _ in situation.action(for: request) }
        DiskFaults.prepare()
        let diagnostics = engine.diagnostics()
        try await engine.open(
            DeliveryConfiguration(
                directory: queue.url,
                destinations: [destination],
                transport: transport,
                defaultConsent: consent == .denied ? .granted : consent
            )
        )
        if case .fullDisk = situation { DiskFaults.set(.write(ENOSPC), for: queue.url) }
        await enter(diagnostics)
    }

    private func enter(_ diagnostics: AsyncStream<Diagnostic>) async {
        let entry = engine.lane(lane)
        switch situation {
        case .action:
            entry.track("viewed", parameters: [:])
            for await diagnostic in diagnostics where diagnostic.endsAnAttempt { break }
        case .consent(.denied):
            entry.track("viewed", parameters: [:])
            try? await engine.setConsent(.denied, for: .analytics)
        case .brokenRule:
            entry.track("", parameters: [:])
            await engine.storeBuffered()
        case .oneRefused:
            for name in ["viewed", "broken", "liked"] { entry.track(name, parameters: [:]) }
            _ = await engine.flush(timeout: .seconds(60))
        case .wrongClock:
            entry.track("viewed", parameters: [:])
            _ = await engine.flush(timeout: .seconds(60))
        case .consent, .withoutDestination, .fullDisk, .inUse:
            entry.track("viewed", parameters: [:])
            await engine.storeBuffered()
        }
    }

    /// The engine's own sentence.
    var explanation: String? {
        get async {
            guard case .inUse = situation else {
                return await engine.statistics().first { $0.id == lane }?.explanation
            }
            return await waitingExplanation()
        }
    }

    /// Returns the texts of which the tool shows one after the end of the process.
    ///
    /// A pause is then from an earlier run. The flush of `close` ends the pause of a network, and begins a new one if
    /// its attempt fails before the timeout.
    ///
    /// - Parameter sentence: The text that the engine itself reports.
    func reported(_ sentence: String) async -> [String] {
        let pause = " in an earlier run: "
        return switch await engine.statistics().first(where: { $0.id == lane })?.pauseReason {
        case nil: [sentence]
        case .trust, .intercepted: [sentence, pause]
        case _?: [pause]
        }
    }

    /// The sentence of another process that waits for the directory.
    private func waitingExplanation() async -> String? {
        let waiting = DeliveryEngine(clock: TestClock())
        try? await waiting.open(
            DeliveryConfiguration(
                directory: queue.url,
                destinations: [LineDestination()],
                transport: ScriptedTransport()
            )
        )
        let explanation = await waiting.statistics().first?.explanation
        await waiting.close(timeout: .zero)
        return explanation
    }

    /// Returns the tool's output about a queue, either in use or after the end of its process.
    func shown() async throws -> [String] {
        switch situation {
        case .fullDisk, .inUse: break
        default: await engine.close(timeout: .zero)
        }
        let tool = try ChildProcess(product: "QueueTool", arguments: [queue.url.path, "why", lane.description])
        return await tool.lines.reduce(into: []) { $0.append($1) }
    }

    func close() async {
        DiskFaults.set(nil, for: queue.url)
        await engine.close(timeout: .zero)
    }
}

extension Diagnostic {
    /// Whether an attempt has failed, as is stored by now.
    fileprivate var endsAnAttempt: Bool {
        switch self {
        case .retrying, .paused: true
        default: false
        }
    }
}

extension LaneStatisticsTests.Situation {
    fileprivate func action(for request: HTTPRequest) -> ScriptedTransport.Action {
        switch self {
        case .action(let action): return action
        case .oneRefused:
            let isBroken = String(decoding: request.body, as: UTF8.self).contains(#""name":"broken""#)
            return isBroken ? .respond(HTTPResponse(status: 400, body: Array("Code: 27. x".utf8))) : .status(200)
        case .wrongClock:
            // The test clock shows 1 March.
            return .respond(HTTPResponse(status: 200, headers: ["Date": "Wed, 04 Mar 2026 10:00:30 GMT"]))
        default: return .hang
        }
    }
}
