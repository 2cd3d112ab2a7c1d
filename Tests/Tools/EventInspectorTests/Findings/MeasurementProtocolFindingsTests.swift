import Testing

@testable import EventInspector

@Suite struct MeasurementProtocolFindingsTests {
    @Test func `a finding belongs to the event that its path names, with the path in it`() {
        let events = #"[{"name":"a"},{"name":"purchase","params":{"value":1.5,"currency":"EUR"}}]"#
        let body = #"{"app_instance_id":"\#(String(repeating: "a", count: 32))","events":\#(events)}"#

        let findings = MeasurementProtocolFindings.findings(in: Array(body.utf8), events: 2)

        #expect(findings[0].isEmpty)
        #expect(findings[1].contains { $0.code == "VALUE_REQUIRED" && $0.path == "params.transaction_id" })
        #expect(findings[1].allSatisfy { $0.source == .ga4 })
    }

    @Test func `a fault of the body is a finding of each of its events`() {
        let body = #"{"events":[{"name":"a"},{"name":"b"}]}"#

        let findings = MeasurementProtocolFindings.findings(in: Array(body.utf8), events: 2)

        #expect(findings.map { $0.map(\.path) } == [["app_instance_id"], ["app_instance_id"]])
    }
}
