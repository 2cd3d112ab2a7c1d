import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct ExampleBodyTests {
    @Test func `each distinct body of a call occurs once, and is reproducible`() throws {
        let services = try CheckedService.stubs()

        let bodies = ExampleBody.all(in: [.accounts], at: services)

        #expect(bodies.map(\.service) == ["firebase", "braze", "firebase", "braze"])
        #expect(Set(bodies).count == bodies.count)
        #expect(ExampleBody.all(in: [.accounts], at: services) == bodies)
        #expect(bodies.allSatisfy { $0.text.hasPrefix("{") && !$0.text.contains("ali@example.com") })
    }

    @Test func `a time is fixed in each vendor's format`() throws {
        let bodies = ExampleBody.all(in: [.accounts], at: try CheckedService.stubs())

        #expect(bodies.first { $0.service == "firebase" }?.text.contains(":1772359200000000,") == true)
        #expect(bodies.first { $0.service == "braze" }?.text.contains("2026-03-01T10:00:00.000Z") == true)
    }
}
