import LoopbackCollector
import Testing

@testable import EventInspector

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
