import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct PlanTests {
    @Test func `an event has an entry for each service and name, with the parameters of its examples`() throws {
        let plan = Plan(of: [.accounts], at: try CheckedService.stubs())

        #expect(plan.modules == ["ACAccounts"])
        #expect(plan.entries.map { "\($0.service) \($0.name)" } == ["firebase sign_up", "braze Signed Up/~"])
        let firebase = plan.entries[0]
        #expect(
            [firebase.product, firebase.event, firebase.title, firebase.owner] == [
                "AC", "SignedUp", "Signed up", "Accounts",
            ]
        )
        #expect(firebase.parameters.keys().map(\.path) == ["friends", "method"])
        #expect(firebase.rules.contains("at most 25 parameters"))
    }

    @Test func `a service without a destination has no rules`() {
        let plan = Plan(of: [.accounts], at: [])

        #expect(Set(plan.entries.map(\.rules)) == ["none"])
    }
}
