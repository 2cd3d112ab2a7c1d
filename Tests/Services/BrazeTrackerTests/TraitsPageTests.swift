import BrazeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import ProfileUpdates
import Testing

/// The code of the page on traits.
@Suite(.timeLimit(.minutes(1))) struct TraitsPageTests {
    private let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 201)) }
    private let engine = DeliveryEngine(clock: TestClock())

    @Test func `a sign-in sends an alias and traits to Braze, in this order`() async throws {
        let braze = try BrazeConfiguration(endpoint: Endpoint("https://rest.fra-01.braze.eu"), apiKey: "se-cret")
        let destinations: [any Destination] = [
            BrazeDestination(product: "DL", configuration: braze),
            BrazeProfileDestination(product: "DL", configuration: braze),
        ]
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: destinations, transport: transport)
        )
        engine.user.setTraits(["plan": "free"])

        engine.user.alias(from: engine.identity.deviceID, to: "u-8841")
        engine.user.identify("u-8841", traits: ["plan": "gold", "newsletter": true])
        engine.user.group(id: "g-7", traits: ["seats": 25])

        let report = await engine.flush(timeout: .seconds(5))
        let lanes = await engine.statistics().map { ($0.id.service, $0.ledger.delivered) }
        let names = transport.requests.map(\.url.lastPathComponent)
        let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(report.isDrained)
        #expect(lanes.map(\.0) == ["braze", "brazeProfiles"] && lanes.map(\.1) == [0, 3])
        #expect(names == ["track", "identify", "track"])
        #expect(bodies.last == #"{"attributes":[{"external_id":"u-8841","plan":"gold","newsletter":true}]}"#)
        try await LedgerCheck.check(engine)
    }

    @Test func `operations that may be repeated reach Braze, and the others are counted`() async throws {
        let braze = try BrazeConfiguration(endpoint: Endpoint("https://rest.fra-01.braze.eu"), apiKey: "se-cret")
        let destination = BrazeProfileDestination(product: "DL", configuration: braze)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        engine.user.identify("u-8841")

        engine.user.setTraits(["first_plan": .setOnce("free"), "orders": .increment(), "tags": .append("vip")])
        engine.user.setTraits(["tags": .remove("trial"), "credit": .increment(by: -20)])

        _ = await engine.flush(timeout: .seconds(5))
        let ledger = try #require(await engine.statistics().first).ledger
        let bodies = String(decoding: transport.requests.flatMap(\.body), as: UTF8.self)
        #expect(bodies.contains(#""tags":{"add":["vip"]}"#) && bodies.contains(#""tags":{"remove":["trial"]}"#))
        #expect(ledger.delivered == 2 && ledger.adjusted == ["operation_not_supported": 3])
    }

    @Test func `a sensitive trait is hashed`() async throws {
        let destination = RecordingDestination(lane: LaneID(product: "T", service: "rows"), updates: [.traits])
        var configuration = DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        configuration.salt = "pepper"
        try await engine.open(configuration)
        let mail = Sensitive("ada@example.com")

        engine.user.setTraits(.sensitive(mail, as: "mail", policy: .hash).merging(["plan": "gold"]))

        await engine.storeBuffered()
        let traits = try #require(destination.events.first).parameters
        #expect(traits["plan"] == "gold")
        #expect(traits["mail"]?.description.contains("ada@") == false)
    }

    @Test func `a destination of another module declares the updates that it supports`() async throws {
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [ProfileLines()], transport: transport)
        )

        engine.user.setTraits(["plan": "gold", "phone": nil])
        engine.lane(ProfileLines().lane).track("viewed", parameters: ["item": 7])
        _ = await engine.flush(timeout: .seconds(5))

        let bodies = String(decoding: transport.requests.flatMap(\.body), as: UTF8.self)
        #expect(bodies == #"{"set":{"plan":"gold"},"unset":["phone"]}{"viewed":{"item":7},"unset":[]}"#)
    }
}

/// A destination that supports traits.
private struct ProfileLines: Destination {
    let lane = LaneID(product: "T", service: "profiles")
    let limits = BatchLimits(events: 50, bodyBytes: 100_000)
    let updates: Set<ProfileUpdate> = [.traits]

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        encoder.json.beginObject()
        encoder.json.key(event.update == .traits ? "set" : event.name)
        encoder.json.object(event.mergedParameters)
        encoder.json.key("unset")
        encoder.json.beginArray()
        for key in event.removedTraits { encoder.json.string(key.name) }
        encoder.json.endArray()
        encoder.json.endObject()
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest {
        HTTPRequest(url: URL(filePath: "/profiles"), body: batch.events.flatMap(\.fragment))
    }
}
