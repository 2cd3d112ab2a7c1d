import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct CapabilityEventsTests {
    @Test func `each name is an event, whose examples are the calls of that name`() throws {
        let events = CapabilityEvents(
            product: "AC",
            vendor: "braze",
            events: [
                VendorEvent("braze", "navigate", ["to_view": "list"]), VendorEvent("braze", "login"),
                VendorEvent("braze", "navigate", ["to_view": "detail", "from_view": "list"]),
            ]
        )

        let plan = Plan(of: [], and: [events], at: try CheckedService.stubs())

        #expect(plan.modules == ["MultiTracker"])
        #expect(plan.entries.map(\.event) == ["braze.navigate", "braze.login"])
        #expect(plan.entries.map(\.service) == ["braze", "braze"] && plan.entries[0].product == "AC")
        let keys = plan.entries[0].parameters.keys().map { "\($0.path) \($0.isAlways)" }
        #expect(keys == ["from_view false", "to_view true"])
    }
}
