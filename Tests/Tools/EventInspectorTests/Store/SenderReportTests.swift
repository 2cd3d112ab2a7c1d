import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct SenderReportTests {
    @Test(arguments: [
        "{}", "7", "[]", #"{"kind":"event"}"#, #"{"kind":"event","lane":"DL"}"#, #"{"kind":"else","lane":"DL/a"}"#,
        #"{"kind":7,"lane":"DL/a"}"#,
    ]) func `invalid reports are ignored`(line: String) {
        #expect(CollectedValue(Array(line.utf8)).flatMap(SenderReport.init) == nil)
    }

    @Test func `missing or mistyped fields of a report are empty`() throws {
        let line = #"{"kind":"event","lane":"DL/a/b","id":7,"repairs":{"cut":2,"x":"y"},"refused":"name_empty"}"#
        let value = try #require(CollectedValue(Array(line.utf8)))
        guard case .event(let lane, let event)? = SenderReport(value) else {
            Issue.record("no event")
            return
        }

        #expect((lane.product, lane.service) == ("DL", "a/b"))
        #expect((event.id, event.name, event.own, event.time) == ("", "", "", 0))
        #expect(event.adjustments.map(\.rule) == ["cut"])
        #expect((event.error?.rule, event.error?.field) == ("name_empty", ""))
    }
}
