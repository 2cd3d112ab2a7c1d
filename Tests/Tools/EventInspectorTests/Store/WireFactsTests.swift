import LoopbackCollector
import Testing

@testable import EventInspector

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
