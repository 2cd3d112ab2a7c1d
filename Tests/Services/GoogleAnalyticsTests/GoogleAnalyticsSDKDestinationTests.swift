import Analytics
public import CoreTracker
import EventDelivery
public import EventDeliveryTesting
import Foundation
public import GoogleAnalytics
import Locks
public import SDKDelivery
import Testing
import VendorRules

/// A replacement of the SDK's class of this name, with the same signature.
private enum Analytics {
    static let log = Mutex<[String]>([])

    static func logEvent(_ name: String, parameters: [String: Any]?) {
        let amount = (parameters?["amount"] as? NSNumber)?.doubleValue ?? 0
        log.withLock { $0.append("\(name) \(amount)") }
    }

    static func setUserID(_ userID: String?) {
        log.withLock { $0.append("user \(userID ?? "none")") }
    }
}

struct StepAdapter: FirebaseSDKAdapter {
    func logEvent(_ name: String, parameters: EventParameters, userID: String?) {
        Analytics.setUserID(userID)
        Analytics.logEvent(name, parameters: parameters.dictionary)
    }
}

@Suite(.timeLimit(.minutes(5))) struct GoogleAnalyticsSDKDestinationTests {
    private let adapter = MockSDKAdapter()
    private let engine = DeliveryEngine(clock: TestClock())

    @Test func `an app conforms the vendor's SDK in one small type, which gets the steps of the product`() async throws
    {
        try await open(with: StepAdapter())

        service.send(event: Journey.Event(name: "basketOpened", properties: ["amount": 12.5]))
        await engine.close(timeout: .seconds(5))

        #expect(Analytics.log.withLock { $0 } == ["user none", "basketOpened 12.5"])
    }

    @Test func `a step carries its user, and the id by which the engine explains it`() async throws {
        try await open(with: adapter)
        engine.user.identify("u-1")

        service.send(event: Journey.Event(name: "basketOpened", properties: ["isGift": true]))
        _ = await engine.flush(timeout: .seconds(5))

        let event = try #require(adapter.events.first)
        guard case .string(let text) = event.parameters["event_id"] else { throw EventEncodingError(rule: "no_id") }
        #expect(event.name == "basketOpened" && event.parameters["isGift"] == 1)
        #expect(event.parameters["event_time_ms"] == 1_772_359_200_000)
        #expect(adapter.users == ["u-1"])
        #expect(await engine.explain(try #require(EventID(text)))?.status == .delivered)
        try await LedgerCheck.check(engine)
    }

    @Test func `events without consent never reach the SDK`() async throws {
        try await open(with: adapter)

        try await engine.setConsent(.denied, for: .analytics)
        service.send(event: Journey.Event(name: "basketOpened"))
        _ = await engine.flush(timeout: .seconds(5))

        #expect(adapter.events.isEmpty)
        #expect(try #require(await engine.statistics().first).ledger.dropped == [.consentDenied: 1])
    }

    @Test(arguments: [("first_open", "name_reserved"), ("app_background", "name_reserved"), ("a b", "name_invalid")])
    func `a step that the SDK would drop is refused and counted`(name: String, rule: String) throws {
        #expect(throws: EventEncodingError(rule: rule)) {
            try GoogleAnalyticsSDKDestination(product: "DL", adapter: adapter).encoded(.stub(name: name))
        }
    }

    @Test func `the SDK accepts a screen view, unlike a web stream`() throws {
        let event = OutgoingEvent.stub(name: "screen_view", parameters: .numbered(24))

        let encoder = try GoogleAnalyticsSDKDestination(product: "DL", adapter: adapter).encoded(event)

        #expect(encoder.adjustments == ["too_many_parameters": 1])
        #expect(throws: EventEncodingError(rule: "name_reserved")) {
            try EventRules.webStream.check(name: "screen_view")
        }
    }

    @Test func `the SDK and the web stream exclude each other on the lane`() async throws {
        let stream = try GoogleAnalyticsConfiguration(measurementID: "G-ABC1234567", apiSecret: "se-cret")
        let both: [any Destination] = [
            GoogleAnalyticsSDKDestination(product: "DL", adapter: adapter),
            GoogleAnalyticsDestination(product: "DL", configuration: stream),
        ]

        await #expect(throws: EngineError.duplicateLane(.googleAnalytics(product: "DL"))) {
            try await engine.open(DeliveryConfiguration(directory: nil, destinations: both))
        }
    }

    @Test(arguments: [(256, true), (257, false)])
    func `a user id that the SDK does not accept is left out and counted`(length: Int, isSent: Bool) throws {
        let identity = Identity.stub(userID: String(repeating: "u", count: length))

        let encoded = try GoogleAnalyticsSDKDestination(product: "DL", adapter: adapter).encoded(
            .stub(identity: identity)
        )

        #expect(encoded.fragment.contains(#""user":"#) == isSent)
        #expect(encoded.adjustments == (isSent ? [:] : ["user_id_too_long": 1]))
    }

    private var service: GoogleAnalyticsLane { GoogleAnalyticsLane(product: "DL", on: engine) }

    private func open(with adapter: any FirebaseSDKAdapter) async throws {
        let destination = GoogleAnalyticsSDKDestination(product: "DL", adapter: adapter)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination]))
    }
}

@Suite(.timeLimit(.minutes(5))) struct GoogleAnalyticsLaneTests {
    @Test func `an app without the SDK wires the web stream`() async throws {
        let engine = DeliveryEngine()
        let stream = try GoogleAnalyticsConfiguration(measurementID: "G-ABC1234567", apiSecret: "se-cret")
        let destination = GoogleAnalyticsDestination(product: "DL", configuration: stream)
        let service = GoogleAnalyticsLane(product: "DL", on: engine)

        service.send(event: Journey.Event(name: "e"))
        #expect(await engine.statistics().map(\.id) == [destination.lane])
    }
}

extension MockSDKAdapter: FirebaseSDKAdapter {
    public func logEvent(_ name: String, parameters: EventParameters, userID: String?) throws(SDKError) {
        try record(Event(name, parameters), userID: userID)
    }
}
