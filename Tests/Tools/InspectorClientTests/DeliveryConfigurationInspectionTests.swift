import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@testable import InspectorClient

@Suite(.timeLimit(.minutes(5))) struct DeliveryConfigurationInspectionTests {
    private static let link = "http://127.0.0.1:1/?token=abc"
    private let destination = LineDestination()

    /// Opens an engine that reports to a recording transport.
    private func engine(
        _ transport: RecordingTransport,
        consent: [ConsentPurpose: Consent] = [:]
    ) async throws -> DeliveryEngine {
        let engine = DeliveryEngine()
        let configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [destination],
            transport: transport,
            consent: consent
        )
        try await engine.open(configuration.inspected(at: Self.link, of: engine))
        return engine
    }

    @Test func `an event is reported with its parameters, the defaults and the bytes to send`() async throws {
        let transport = RecordingTransport()
        let engine = try await engine(transport)

        engine.lane(destination.lane).track("a", parameters: ["x": 1], defaults: ["x": 2, "y": 3.0])
        let event = await transport.report("event")
        let attempt = await transport.report("attempt")

        #expect(event?["lane"] == "T/lines")
        #expect(event?["own"] == #"{"x":1}"#)
        #expect(event?["defaults"] == #"{"x":2,"y":3.0}"#)
        #expect(event?["body"]?.string?.hasSuffix(#""props":{"x":1,"y":3.0}}"#) == true)
        #expect(attempt?["status"] == 200)
        #expect(attempt?["verdict"] == "delivered")
        await engine.close(deadline: .zero)
    }

    @Test func `an event that is refused by a rule is reported with the rule`() async throws {
        let transport = RecordingTransport()
        let engine = try await engine(transport)

        engine.lane(destination.lane).track("", parameters: [:])
        let event = await transport.report("event")

        #expect(event?["refused"] == "name_empty")
        #expect(event?["body"] == "")
        await engine.close(deadline: .zero)
    }

    @Test func `an event that waits for consent is reported as held`() async throws {
        let transport = RecordingTransport()
        let engine = try await engine(transport, consent: [.analytics: .unknown])

        engine.lane(destination.lane).track("a", parameters: [:])

        #expect(await transport.report("fate")?["state"] == "held")
        await engine.close(deadline: .zero)
    }

    @Test func `an event that waits for consent is reported by name, without parameters`() async throws {
        let transport = RecordingTransport()
        let engine = try await engine(transport, consent: [.analytics: .unknown])
        engine.identify(user: "somebody")

        engine.lane(destination.lane).track("a", parameters: ["x": "secret"], defaults: ["y": "secret"])
        engine.lane(destination.lane).track("", parameters: ["x": "secret"])
        let held = await transport.report("held")
        let refused = await transport.report("held")

        #expect(held?["name"] == "a")
        #expect(Set(held?.keys ?? []) == ["kind", "lane", "id", "name", "time"])
        #expect(Set(refused?.keys ?? []) == ["kind", "lane", "id", "name", "time", "refused"])
        await engine.close(deadline: .zero)
    }

    @Test func `a pause and the ledger are reported for the lane`() async throws {
        let transport = RecordingTransport(statuses: [401])
        let engine = try await engine(transport)

        engine.lane(destination.lane).track("a", parameters: [:])
        let lane = await transport.report("lane") { $0["cause"] != nil }

        let cause = await engine.statistics().first?.explanation?.prefix { $0 != "," }
        #expect(cause == "the receiver refuses the credentials: correct them and call resume() (status 401)")
        #expect(lane?["cause"]?.string?.prefix { $0 != "," } == cause)
        #expect(lane?["accepted"] == 1)
        #expect(lane?["pending"] == 1)
        await engine.close(deadline: .zero)
    }

    @Test(arguments: ["http://127.0.0.1:1/", "https://example.com/?token=abc"])
    func `a link without a token, or to another machine, is refused`(link: String) {
        let configuration = DeliveryConfiguration(directory: nil, destinations: [])

        #expect(throws: ConfigurationError.self) { try configuration.inspected(at: link) }
    }
}
