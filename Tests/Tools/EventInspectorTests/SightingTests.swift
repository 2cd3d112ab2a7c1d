import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct SightingTests {
    private func sighting() -> Sighting { Sighting(service: "firebase", id: "e1", name: "a", time: 0) }

    private func attempt(_ time: Int64) -> DeliveryAttempt {
        DeliveryAttempt(end: .sender, time: time, status: 503, response: "", result: "")
    }

    @Test func `the first and latest attempts are kept, and the others are counted`() {
        var sighting = sighting()

        for time in 0..<1_000 { sighting.add(attempt(Int64(time))) }

        #expect(sighting.attempts.count == 24)
        #expect(sighting.omittedAttempts == 976)
        #expect(sighting.attempts.prefix(3).map(\.time) == [0, 1, 2])
        #expect(sighting.attempts.last?.time == 999)
    }

    @Test func `the receiver determines the status only while the sender waits for a response`() {
        var sighting = sighting()
        let before = sighting.status.state

        sighting.reportedStatus = SenderReport.Status(state: "sending", reason: "sent 2 times")
        let sending = sighting.status
        sighting.reportedStatus = SenderReport.Status(state: "dropped", reason: "expired")

        #expect(before == "queued")
        #expect(sending == SenderReport.Status(state: "sending", reason: "sent 2 times"))
        #expect(sighting.status.reason == "expired")
    }
}

@Suite struct EventStampTests {
    @Test func `a version 7 id contains milliseconds and a counter`() throws {
        let stamp = try #require(EventStamp(id: "01a1ffe5-6d8b-7005-84d9-b27893618583"))

        #expect(stamp.milliseconds == 0x01a1_ffe5_6d8b)
        #expect(stamp.ticks & 0xFFF == 5)
    }

    @Test(arguments: ["", "e1", "01a1ffe5-6d8b-4005-84d9-b27893618583", "01a1ffe56d8b700584d9b27893618583"])
    func `any other id has no stamp`(id: String) {
        #expect(EventStamp(id: id) == nil)
    }
}

@Suite struct WireFactsTests {
    private func value(_ text: String) -> CollectedValue { CollectedValue(Array(text.utf8)) ?? .null }

    @Test func `a Firebase body contains device and user, and automatic parameters among the others`() {
        let top = value(#"{"app_instance_id":"d","user_id":"u","events":[]}"#)
        let event = value(#"{"name":"a","params":{"event_id":"e","session_id":5,"app_session":"s","x":1}}"#)

        let facts = WireFacts(event, in: top, of: "firebase")

        #expect((facts.device, facts.user, facts.session, facts.product) == ("d", "u", "s", nil))
        #expect(facts.parameters == .object(["x": 1]))
        #expect(facts.envelope.map(\.key) == ["app_session", "event_id", "session_id"])
    }

    @Test func `a row contains its parameters as JSON text`() {
        let row = value(#"{"event_id":"e","product":"DL","device_id":"d","props":"{\"x\":1}"}"#)

        let facts = WireFacts(row, in: nil, of: "awesomeTracking")

        #expect((facts.product, facts.device) == ("DL", "d"))
        #expect(facts.parameters == .object(["x": 1]))
        #expect(facts.envelope.map(\.key) == ["device_id", "event_id", "product"])
    }

    @Test func `for an unknown format, all fields belong to the envelope`() {
        let facts = WireFacts(value(#"{"b":1,"a":2}"#), in: nil, of: "else")

        #expect(facts.parameters == nil)
        #expect(facts.envelope.map(\.key) == ["a", "b"])
    }
}

@Suite(.timeLimit(.minutes(5))) struct ParameterOriginsTests {
    @Test func `origins are known only if the sender has reported them`() throws {
        let inspected = try Inspected()
        let own = #"{\"currency\":\"TRY\",\"id\":\"7\"}"#
        let defaults = #"{\"currency\":\"EUR\",\"channel\":\"a\"}"#
        let lane = #""kind":"event","lane":"XY/awesomeTracking","id":"e1","name":"order""#
        let report = #"{\#(lane),"own":"\#(own)","defaults":"\#(defaults)","body":"{}"}"#
        try inspected.post("/", Inspected.row("order", id: "e1", props: #"{"currency":"TRY","id":"7","channel":"a"}"#))

        let before = try origins(inspected)
        try inspected.post("/inspector/state", report, token: true)
        let after = try origins(inspected)

        #expect((before["currency"], before["channel"], before["event_id"]) == ("", "", "envelope"))
        #expect((after["currency"], after["id"]) == ("own over default", "own"))
        #expect((after["channel"], after["event_id"]) == ("default", "envelope"))
    }

    private func origins(_ inspected: Inspected) throws -> [String: String] {
        let parameters = try inspected.detail(1)?["services"]?[0]?["parameters"]?.elements ?? []
        return Dictionary(parameters.map { ($0[0]?.string ?? "", $0[2]?.string ?? "") }) { first, _ in first }
    }
}
