import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct InspectorStateTests {
    private func report(_ lines: [String]) -> [SenderReport] {
        lines.compactMap { CollectedValue(Array($0.utf8)).flatMap(SenderReport.init) }
    }

    private func event(_ lane: String, _ name: String, _ id: String) -> String {
        #"{"kind":"event","lane":"\#(lane)","id":"\#(id)","name":"\#(name)","device":"d","own":"{}","body":"\#(id)"}"#
    }

    @Test func `the number of rows is limited, and removed events are forgotten`() {
        var state = InspectorState(plan: Inspected.plan, capacity: 10)

        for number in 0..<1_000 {
            let lines = [
                event("XY/firebase", "bought", Inspected.id(10 * number)),
                event("XY/awesomeTracking", "order", Inspected.id(10 * number, 1)),
            ]
            state.add(report(lines), at: 0)
        }

        #expect(state.rows.count == 10)
        #expect(state.sightings.count == state.rows.count * 2)
        #expect(state.seenCalls == ["XY XYBought": 1_000])
    }

    @Test func `with large events, fewer rows are kept`() {
        var state = InspectorState(plan: Inspected.plan, capacity: 1_000, byteCapacity: 10_000)

        for number in 0..<100 {
            let body = String(repeating: "x", count: 1_000)
            let line = #"{"kind":"event","lane":"XY/else","id":"e\#(number)","name":"a","own":"{}","body":"\#(body)"}"#
            state.add(report([line]), at: 0)
        }

        #expect(state.byteCount <= 10_000 && state.byteCount > 8_000)
        #expect(state.rows.count == state.sightings.count && state.rows.count < 10)
        state.add(report([event("XY/else", "a", String(repeating: "y", count: 20_000))]), at: 0)
        #expect(state.rows.count == 1)
    }

    @Test func `a delivery that becomes ambiguous leaves its row`() {
        var state = InspectorState(plan: Inspected.plan, capacity: 10)
        state.add(report([event("XY/firebase", "bought", Inspected.id(7, 1))]), at: 0)
        state.add(report([event("XY/awesomeTracking", "order", Inspected.id(7, 3))]), at: 0)
        let together = state.rows.values.map(\.sightings.count).filter { $0 > 0 }

        state.add(report([event("XY/firebase", "bought", Inspected.id(7, 0))]), at: 0)

        #expect(together == [2])
        #expect(state.rows.values.map(\.sightings.count).filter { $0 > 0 } == [1, 1, 1])
    }

    @Test func `an event that waits for consent has a name but no findings before its arrival`() {
        var state = InspectorState(plan: Inspected.plan, capacity: 10)
        let line = #"{"kind":"awaiting_consent","lane":"XY/firebase","id":"\#(Inspected.id(1))","name":"bought"}"#

        state.add(report([line]), at: 0)
        let held = state.sightings.values.first

        #expect(held?.name == "bought")
        #expect(held?.entry?.event == "XYBought")
        #expect(held?.status == SenderReport.Status(state: "awaiting consent", reason: ""))
        #expect(held?.findings.isEmpty == true)
        state.add(report([line.replacing("}", with: #","refused":"name_empty"}"#)]), at: 0)
        #expect(state.sightings.values.first?.status == SenderReport.Status(state: "refused", reason: "name_empty"))
    }

    @Test func `the sender's status of an event takes precedence`() {
        var state = InspectorState(plan: Inspected.plan, capacity: 10)
        let status = #"{"kind":"status","lane":"XY/firebase","id":"e1","state":"quarantined","reason":"code 27"}"#

        state.add(report([event("XY/firebase", "bought", "e1")]), at: 0)
        let before = state.sightings(ofRow: 1).first?.status.state
        state.add(
            report([status, #"{"kind":"status","lane":"XY/firebase","id":"e9","state":"awaiting consent"}"#]),
            at: 0
        )

        #expect(before == "queued")
        #expect(state.sightings(ofRow: 1).first?.status == SenderReport.Status(state: "quarantined", reason: "code 27"))
    }
}

@Suite struct ChangeLogTests {
    @Test func `each changed row is returned once, in parts, and the position advances`() {
        var log = ChangeLog()
        for number in [1, 2, 1, 3, 4] { log.append(number) }

        let first = log.changes(after: 0, limit: 2)
        let second = log.changes(after: first.next, limit: 9)

        #expect((first.rows, first.next, first.missed) == ([1, 2], 2, 0))
        #expect((second.rows, second.next, second.missed) == ([1, 3, 4], 5, 0))
        #expect(log.changes(after: 5, limit: 9).rows.isEmpty)
    }

    @Test func `removed changes are counted as missed`() {
        var log = ChangeLog()
        for number in 0..<450_000 { log.append(number) }

        let (rows, next, missed) = log.changes(after: 10, limit: 1)

        #expect(log.end == 450_000)
        #expect(missed > 200_000)
        #expect(rows == [10 + missed])
        #expect(next == 11 + missed)
    }

    @Test func `a position that was never reached starts at the end`() {
        var log = ChangeLog()
        log.append(1)

        let (rows, next, missed) = log.changes(after: 99, limit: 9)

        #expect((rows, next, missed) == ([], 1, 0))
    }
}

@Suite struct FaultTests {
    private func fault(_ text: String) -> Fault? { CollectedValue(Array(text.utf8)).flatMap(Fault.init) }

    @Test(arguments: [
        "{}", "7", #"{"status":503}"#, #"{"service":"firebase","status":200}"#,
        #"{"service":"firebase","status":1000}"#,
    ]) func `invalid faults are rejected`(text: String) {
        #expect(fault(text) == nil)
    }

    @Test func `a fault without a count applies until it is removed`() throws {
        let store = InspectorStore(plan: InspectorPlan())
        store.set(try #require(self.fault(#"{"service":"firebase","status":503}"#)))

        let met = (0..<100).map { _ in store.fault(service: "firebase", events: [])?.status }
        let json = store.activeFaults.first?.json
        store.set(try #require(self.fault(#"{"service":"firebase"}"#)))

        #expect(met == Array(repeating: 503, count: 100))
        #expect(json?.contains("count") == false)
        #expect(store.fault(service: "firebase", events: []) == nil)
    }

    @Test func `a fault does not apply to other services, and status 0 closes the connection`() throws {
        let text = #"{"service":"firebase","status":0}"#
        let fault = try #require(self.fault(text))

        #expect(!fault.meets(service: "braze", events: []))
        #expect(fault.meets(service: "firebase", events: []))
        guard case .close = fault.collectorAction else {
            Issue.record("\(fault.collectorAction)")
            return
        }
    }
}
