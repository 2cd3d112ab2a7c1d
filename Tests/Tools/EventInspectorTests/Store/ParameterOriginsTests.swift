import LoopbackCollector
import Testing

@testable import EventInspector

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
