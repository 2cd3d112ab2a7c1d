import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import InspectorClient
import Testing

@testable import WebBridge

@Suite(.timeLimit(.minutes(5))) struct WebBridgeTests {
    @Test func `an event has the product of the bridge, and the session, user and time of the app`() async throws {
        let scene = try await GuestScene { ["channel": "web", "count": 1] }
        scene.engine.user.identify("ada")
        scene.engine.lane(scene.host.lane).track("launched")

        let reason = scene.receive(GuestScene.message(#"{"page":"home","count":2}"#))
        await scene.engine.storeBuffered()

        #expect(reason == nil)
        let (event, own) = (try #require(scene.destination.events.first), try #require(scene.host.events.first))
        #expect(event.name == "opened")
        #expect(event.mergedParameters == ["channel": "web", "count": 2, "page": "home"])
        #expect(event.identity.userID == "ada")
        #expect(event.identity.sessionID == own.identity.sessionID)
        #expect(event.time == own.time)
        #expect(await scene.ledger()?.accepted == 1)
    }

    @Test(arguments: [
        #"{"name":"opened","parameters":{"page":"a"}}"#,
        #"{"service":"awesomeTracking","parameters":{"page":"a"}}"#,
        #"{"service":"awesomeTracking","name":"opened"}"#,
        #"{"service":"firebase","name":"opened","parameters":{"page":"a"}}"#,
        #"{"service":"DL/awesomeTracking","name":"opened","parameters":{"page":"a"}}"#,
        #"{"service":"awesomeTracking","name":"Opened","parameters":{"page":"a"}}"#,
        #"{"service":["awesomeTracking"],"name":"opened","parameters":{"page":"a"}}"#,
        #"{"service":"awesomeTracking","name":"opened","parameters":[["page","a"]]}"#,
        #"{"service":"awesomeTracking","name":"opened","parameters":{"page":"a"},"product":"DL"}"#,
        #"{"service":"awesomeTracking","name":"opened","parameters":{"page":"a"},"user":"eve"}"#,
        #"{"service":"awesomeTracking","name":"opened","parameters":{"page":"a"},"session":"s"}"#,
        #"{"service":"awesomeTracking","name":"opened","parameters":{"page":"a"},"time":0}"#,
        #"{"service":"awesomeTracking","name":"opened","parameters":{"page":"a"},"__proto__":{}}"#,
        "{}", "[]", "null", "1", #""opened""#, "true",
    ])
    func `a message that does not fit the plan is counted as not in the plan`(message: String) async throws {
        let scene = try await GuestScene()

        let reason = scene.receive(message)
        await scene.engine.storeBuffered()

        #expect(reason == .notInPlan)
        #expect(scene.destination.events.isEmpty && scene.other.events.isEmpty)
        let dropped = await scene.engine.statistics().reduce(into: 0) {
            $0 += $1.ledger.dropped[.notInPlan, default: 0]
        }
        #expect(dropped == 1)
        try await LedgerCheck.check(scene.engine)
    }

    @Test func `a refused message is counted on the lane of its service, or else of the plan's first event`()
        async throws
    {
        let scene = try await GuestScene()

        scene.receive(#"{"service":"firebase","name":"nothing","parameters":{}}"#)
        scene.receive(#"{"service":"braze","name":"nothing","parameters":{}}"#)
        scene.receive("no JSON")
        await scene.engine.storeBuffered()

        #expect(await scene.ledger(scene.other.lane)?.dropped == [.notInPlan: 1])
        #expect(await scene.ledger()?.dropped == [.notInPlan: 1, .messageNotJSON: 1])
        #expect(await scene.ledger(LaneID(product: "MA", service: "braze")) == nil)
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// Messages, each with its reason.
    static let badMessages: [(String, DropReason)] = {
        let longName: String = "{\"" + repeated("n", 65_000) + "\":1}"
        let brackets: String = repeated("[", 1_000) + repeated("]", 1_000)
        return [
            ("", .messageNotJSON), ("undefined", .messageNotJSON), ("{\"a\":NaN}", .messageNotJSON),
            ("{\"a\":1,\"a\":1}", .messageNotJSON), ("{}{}", .messageNotJSON), (brackets, .messageTooDeep),
            (repeated("{\"a\":", 1_000), .messageTooDeep), (repeated("[", 65), .messageTooDeep),
            (repeated("[", 64), .messageNotJSON), (repeated(" ", 65_537), .messageTooLarge),
            (repeated("a", 5_000_000), .messageTooLarge), (longName, .notInPlan),
            (GuestScene.message(longName), .notInPlan),
        ]
    }()

    @Test(arguments: badMessages)
    func `each bad message is counted once, with its reason`(message: String, reason: DropReason) async throws {
        let scene = try await GuestScene()

        let found = scene.receive(message)
        scene.engine.lane(scene.host.lane).track("launched")
        await scene.engine.storeBuffered()

        #expect(found == reason)
        let ledger = try #require(await scene.ledger())
        #expect(ledger.accepted == 1)
        #expect(ledger.dropped == [reason: 1])
        #expect(scene.host.events.map(\.name) == ["launched"])
        try await LedgerCheck.check(scene.engine)
    }

    @Test func `a message of another origin is refused, and takes no part of the rate`() async throws {
        let scene = try await GuestScene(messagesPerSecond: 1)
        let message = GuestScene.message(#"{"page":"a"}"#)

        for origin in ["https://evil.example", "null", "", "http://mini.example", "https://mini.example.evil.example"] {
            #expect(scene.bridge.receive(message, from: origin) == .messageOrigin)
        }

        #expect(scene.receive(message) == nil)
        #expect(await scene.ledger()?.dropped == [.messageOrigin: 5])
    }

    @Test func `of 10,000 messages in a second the rate is accepted, and the app's events all are`() async throws {
        let scene = try await GuestScene(messagesPerSecond: 100)
        let message = GuestScene.message(#"{"page":"a"}"#)

        var reasons: [DropReason?: Int] = [:]
        for number in 0..<10_000 {
            reasons[scene.receive(message), default: 0] += 1
            if number.isMultiple(of: 100) {
                scene.engine.lane(scene.host.lane).track("own")
                scene.clock.advance(by: .milliseconds(10))
            }
        }
        await scene.engine.storeBuffered()

        #expect(reasons == [nil: 200, .messageRate: 9_800])
        #expect(scene.destination.events.count == 200)
        #expect(scene.host.events.count == 100)
        #expect(await scene.ledger()?.dropped == [.messageRate: 9_800])
        try await LedgerCheck.check(scene.engine)
    }

    @Test func `a large message counts as several of the rate, and passes alone`() async throws {
        let scene = try await GuestScene(messagesPerSecond: 10)
        let large = GuestScene.message("{\"page\":\"" + String(repeating: "a", count: 65_000) + "\"}")
        let small = GuestScene.message("{\"page\":\"a\"}")

        let first = [scene.receive(large), scene.receive(small)]
        scene.clock.advance(by: .milliseconds(600))
        let early = scene.receive(small)
        scene.clock.advance(by: .milliseconds(200))
        let later = scene.receive(small)

        #expect(first == [nil, .messageRate])
        #expect(early == .messageRate)
        #expect(later == nil)
    }

    @Test(arguments: [Int.min, 0, 1]) func `a rate below 1 counts as 1`(rate: Int) async throws {
        let scene = try await GuestScene(messagesPerSecond: rate)
        let message = GuestScene.message(#"{"page":"a"}"#)

        let first = [scene.receive(message), scene.receive(message)]
        scene.clock.advance(by: .seconds(3_600))
        let later = [scene.receive(message), scene.receive(message)]

        #expect(first == [nil, .messageRate])
        #expect(later == [nil, .messageRate])
    }

    @Test func `a quota of the guest's product limits its events, and not the app's`() async throws {
        let scene = try await GuestScene()
        _ = try? await scene.engine.setQuotas(document: Data(#"{"version":1,"products":{"MA":{"perMinute":2}}}"#.utf8))

        let reasons = (0..<4).map { _ in scene.receive(GuestScene.message(#"{"page":"a"}"#)) }
        for _ in 0..<4 { scene.engine.lane(scene.host.lane).track("own") }
        await scene.engine.storeBuffered()

        #expect(reasons == [nil, nil, .rateCapped, .rateCapped])
        #expect(scene.host.events.count == 4)
    }

    @Test func `a denial of consent also drops the events of a guest`() async throws {
        let scene = try await GuestScene(consent: [.analytics: .denied])

        let reason = scene.receive(GuestScene.message(#"{"page":"a"}"#))

        #expect(reason == .consentDenied)
        #expect(await scene.ledger()?.dropped == [.consentDenied: 1])
    }

    @Test func `guests fill at most three quarters of the buffer`() async throws {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 64)
        let bridge = try WebBridge(
            product: "MA",
            schema: GuestScene.schema.utf8,
            origins: [GuestScene.origin],
            on: engine
        )

        let message = GuestScene.message(#"{"page":"a"}"#)
        let reasons = (0..<64).map { _ in bridge.receive(message, from: GuestScene.origin) }

        #expect(reasons.count { $0 == nil } == 48)
        #expect(reasons.dropFirst(48).allSatisfy { $0 == .bufferFull })
    }

    @Test(arguments: [
        DropReason.notInPlan, .messageNotJSON, .messageTooDeep, .messageTooLarge, .messageOrigin, .messageRate,
    ])
    func `each reason has a sentence with a cause and a cure`(reason: DropReason) async throws {
        let scene = try await GuestScene()
        scene.engine.lane(GuestScene.lane).drop(reason)

        let lane = await scene.engine.statistics().first { $0.id == GuestScene.lane }

        let sentence = try #require(lane?.explanation)
        #expect(sentence.hasPrefix("1 event is refused, because "))
        #expect(!reason.isIntended)
    }

    @Test func `the inspector gets the counts of refused messages`() async throws {
        let (engine, transport) = (DeliveryEngine(), ScriptedTransport())
        let configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [RecordingDestination(lane: GuestScene.lane)],
            transport: transport
        )
        try await engine.open(configuration.inspected(at: "http://127.0.0.1:1/?token=abc", on: engine))
        let bridge = try WebBridge(
            product: "MA",
            schema: GuestScene.schema.utf8,
            origins: [GuestScene.origin],
            on: engine
        )

        bridge.receive("{}", from: GuestScene.origin)
        await engine.close(timeout: .zero)

        var reports: [String] = []
        while !reports.contains(where: { $0.contains(#""dropped":{"not_in_plan":1}"#) }) {
            await transport.requests(count: reports.count + 1)
            reports = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
        }
    }

    @Test(arguments: ["mini.example", "https://", "https://mini.example/", "https://*.example", "*", "null", ""])
    func `an origin that is none throws`(text: String) async throws {
        #expect(throws: WebBridgeError.invalidOrigin(text)) {
            try WebBridge(product: "MA", schema: GuestScene.schema.utf8, origins: [text], on: DeliveryEngine())
        }
    }

    @Test func `the script is the file of the page, byte for byte`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Modules/Options/WebBridge/Page/tracker.js")

        let text = try String(contentsOf: file, encoding: .utf8)

        #expect(Array(WebBridge.script.utf8) == Array(text.utf8))
    }
}

@Suite struct WebOriginTests {
    @Test(arguments: [
        ("https://a.example", "HTTPS://A.example:443"), ("http://127.0.0.1", "http://127.0.0.1:80"),
        ("http://[::1]:8080", "http://[::1]:08080"), ("app://localhost", "app://localhost"),
    ])
    func `case and the usual port do not matter`(one: String, other: String) {
        #expect(WebOrigin(one) != nil)
        #expect(WebOrigin(one) == WebOrigin(other))
    }

    @Test(arguments: [
        ("https://a.example", "http://a.example"), ("https://a.example", "https://a.example:444"),
        ("https://a.example", "https://b.a.example"), ("https://a.example", "https://a.example."),
    ])
    func `scheme, host and port matter`(one: String, other: String) {
        #expect(WebOrigin(one) != WebOrigin(other))
    }

    @Test(arguments: [
        "", "null", "://", "https://", "https://a.example/", "https://a.example/x", "https://u@a.example",
        "https://a.example:", "https://a.example:+80", "https://a.example:65536", "https://a.example:80:80",
        "https://[::1", "https://\u{212A}elvin.example", "https://a\u{0}.example", "1https://a.example", "file:///x",
        "https://a_b c", String(repeating: "a", count: 5_000_000),
    ])
    func `any other text is no origin`(text: String) {
        #expect(WebOrigin(text) == nil)
    }
}
