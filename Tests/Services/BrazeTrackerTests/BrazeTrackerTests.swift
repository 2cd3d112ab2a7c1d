import BrazeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import MultiTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct BrazeTrackerTests {
    private let engine = DeliveryEngine(clock: TestClock())
    private let store = TrackerStore()
    private let tracker: Tracker

    init() {
        tracker = Tracker(trackerStore: store)
    }

    @Test func `each call of a capability of Braze becomes an event with all of its arguments`() async throws {
        let destination = BrazeDestination(product: "DL", configuration: try configuration)
        store.register(BrazeTracker(product: "DL", on: engine))

        let bodies = try await CapabilityCalls.bodies(of: store, on: engine, to: destination, vendor: .braze)

        #expect(bodies == (try Fixture.text("capabilities.json")))
    }

    @Test func `of a partial success the faulty event is quarantined and the others are delivered`() async throws {
        let transport = ScriptedTransport { request, _ in
            let body = String(decoding: request.body, as: UTF8.self)
            let events = body.split(separator: "external_id").dropFirst()
            guard let index = events.firstIndex(where: { $0.contains(#""bad""#) }) else {
                return .respond(HTTPResponse(status: 201))
            }
            let response = #"{"errors":[{"type":"not valid","input_array":"events","index":\#(index - 1)}]}"#
            return .respond(HTTPResponse(status: 201, body: Array(response.utf8)))
        }
        engine.user.identify("u-8841")
        for name in ["good_1", "bad", "good_2"] {
            engine.lane(.braze(product: "DL")).track(name, parameters: [:])
        }

        try await open(transport)
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.delivered == 2)
        #expect(await engine.quarantine.events().map(\.reason) == ["status 201, not valid"])
        try await LedgerCheck.check(engine)
    }

    @Test func `explain reports denied consent, and nothing is sent`() async throws {
        let transport = ScriptedTransport()
        try await open(transport)

        try await engine.setConsent(.denied, for: .marketing)
        tracker.trackPlay()
        _ = await engine.flush(timeout: .seconds(5))

        #expect(tracker.explain((any PlaybackTrackable).self).map(\.skipReason) == [.noConsent])
        #expect(store.skipCounts == [.noConsent: 1])
        #expect(transport.requests.isEmpty)

        try await engine.setConsent(.granted, for: .marketing)
        #expect(tracker.explain((any PlaybackTrackable).self).map(\.isTracked) == [true])
    }

    @Test func `an app wires Braze in a few lines`() throws {
        let (engine, store) = (DeliveryEngine.shared, TrackerStore())
        let instance = try Endpoint("https://rest.fra-01.braze.eu")
        let braze = try BrazeConfiguration(endpoint: instance, apiKey: "se-cret")
        let destination = BrazeDestination(product: "DL", configuration: braze)
        let outcome = store.register(BrazeTracker(product: "DL", on: engine))

        #expect(outcome == .registered)
        #expect(destination.lane == LaneID(product: "DL", service: "braze"))
    }

    private var configuration: BrazeConfiguration {
        get throws {
            try BrazeConfiguration(endpoint: Endpoint("https://rest.fra-01.braze.eu"), apiKey: "se-cret")
        }
    }

    private func open(_ transport: ScriptedTransport) async throws {
        let destination = BrazeDestination(product: "DL", configuration: try configuration)
        store.register(BrazeTracker(product: "DL", on: engine))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
    }
}
