import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import FormatChanges
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct ShadowComparisonTests {
    private let comparison = ShadowComparison()

    @Test func `a shadow is compared by the paths of its members, and nothing of it is sent`() async throws {
        let (engine, transport) = (DeliveryEngine(clock: TestClock()), ScriptedTransport())
        let (current, next) = (LineDestination(), NextDestination())
        let destination = current.shadowed(by: next, in: comparison)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport))

        for price in [5, 10] {
            engine.lane(destination.lane).track("viewed", parameters: ["price": .int(price), "id": "7"])
        }
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(body.contains(#""price":10"#) && !body.contains("price_minor"))
        #expect(comparison.report.compared == 2)
        #expect(comparison.report.equal == 0)
        #expect(comparison.report.differences == ["props.price": 2, "props.price_minor": 2])
    }

    @Test func `events are equal if their members are, in any order of the keys`() throws {
        let shadowed = LineDestination().shadowed(by: ReversedDestination(), in: comparison)

        try encode(.stub(parameters: ["a": 1, "list": [["b": 1, "c": 2]]]), for: shadowed)

        #expect(comparison.report.equal == 1)
        #expect(comparison.report.differences.isEmpty)
    }

    @Test(arguments: [WrittenDestination(text: "caf\u{E9}", nulls: ["plan"]), WrittenDestination(text: "cafe\u{301}")])
    private func `events that differ in a null or in the bytes of a text are not equal`(
        shadow: WrittenDestination
    ) throws {
        let destination = WrittenDestination(text: "caf\u{E9}").shadowed(by: shadow, in: comparison)

        try encode(.stub(), for: destination)

        #expect(comparison.report.equal == 0)
        #expect(comparison.report.differences == ["(body)": 1])
    }

    @Test func `an event that only one destination refuses is counted by the rule`() throws {
        let strict = NextDestination(limits: BatchLimits(events: 1, bodyBytes: 100, eventBytes: 10))
        let tight = LineDestination().shadowed(by: strict, in: comparison)
        try encode(.stub(), for: tight)
        let named = LineDestination().shadowed(by: ReversedDestination(), in: comparison)
        #expect(throws: EventEncodingError(rule: "name_empty")) { try encode(.stub(name: ""), for: named) }

        #expect(comparison.report.refusedByShadow == ["event_too_large": 1])
        #expect(comparison.report.refusedBySending == ["name_empty": 1])
        #expect(comparison.report.compared == 0)
    }

    @Test func `an event too large for both destinations is not counted, and one too large to send is`() throws {
        let strict = LineDestination(limits: BatchLimits(events: 1, bodyBytes: 100, eventBytes: 10))

        try encode(.stub(), for: strict.shadowed(by: strict, in: comparison))
        try encode(.stub(), for: strict.shadowed(by: LineDestination(), in: comparison))

        #expect(comparison.report.refusedByShadow.isEmpty)
        #expect(comparison.report.refusedBySending == ["event_too_large": 1])
        #expect(comparison.report.compared == 0)
    }

    @Test func `different batch keys and bytes that are no object count as differences`() throws {
        let keyed = LineDestination().shadowed(by: LineDestination(isKeyedByUser: true), in: comparison)
        let recorded = RecordingDestination(lane: LaneID(product: "T", service: "recorded"))
        var identity = Identity.stub()
        identity.setUser(KnownUser("ada"))

        try encode(.stub(identity: identity), for: keyed)
        try encode(.stub(), for: LineDestination().shadowed(by: recorded, in: comparison))

        #expect(comparison.report.differences == ["(batch key)": 1, "(body)": 1])
    }

    @Test func `the number of paths is bounded`() throws {
        let shadowed = LineDestination().shadowed(by: NextDestination(), in: comparison)
        let parameters = EventParameters((0..<200).map { (ParameterKey("only_\($0)"), 1) })

        try encode(.stub(parameters: parameters), for: shadowed)

        #expect(comparison.report.differences.count == 65)
        #expect(comparison.report.differences["(other)"] == 136)
    }

    private func encode(_ event: OutgoingEvent, for destination: any Destination) throws {
        var encoder = EventEncoder()
        try destination.encode(event, into: &encoder)
    }
}

/// The next version of a format: prices in minor units, and no parameters that begin with `only_`.
private struct NextDestination: DestinationWrapper {
    let base: any Destination = LineDestination()
    var limits = BatchLimits(events: 1, bodyBytes: 1_000_000)
    var lane: LaneID { LaneID(product: "T", service: "next") }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        var event = event
        if case .int(let price) = event.parameters["price"] {
            event.parameters["price"] = nil
            event.parameters["price_minor"] = .int(price * 100)
        }
        event.parameters = EventParameters(
            event.parameters.filter { !$0.key.name.hasPrefix("only_") }.map { ($0.key, $0.value) }
        )
        try base.encode(event, into: &encoder)
    }
}

/// Events with a given text, and with nulls.
private struct WrittenDestination: DestinationWrapper {
    let base: any Destination = LineDestination()
    let text: String
    var nulls: [ParameterKey] = []

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) {
        encoder.json.beginObject()
        encoder.json.key("text")
        encoder.json.string(text)
        encoder.json.nulls(nulls)
        encoder.json.endObject()
    }
}

/// Lines whose members are in the reverse order.
private struct ReversedDestination: DestinationWrapper {
    let base: any Destination = LineDestination()

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) {
        var plain = EventEncoder()
        var named = event
        if named.name.isEmpty { named.name = "unnamed" }
        try? base.encode(named, into: &plain)
        let members = JSONReader.object(in: plain.bytes[...]) ?? [:]
        encoder.json.object(EventParameters(members.reversed().map { ($0.key, $0.value) }))
    }
}
