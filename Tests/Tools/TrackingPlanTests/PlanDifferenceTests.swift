import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct PlanDifferenceTests {
    /// A change of a key.
    struct Change: Sendable, CustomStringConvertible {
        let old: EventParameters
        let new: EventParameters
        let description: String
        let isBreaking: Bool

        init(_ old: EventParameters, _ new: EventParameters, _ description: String, breaks: Bool) {
            (self.old, self.new, self.description, isBreaking) = (old, new, description, breaks)
        }
    }

    @Test(arguments: [
        Change(["a": 1], ["a": 1, "b": 1], "b was added", breaks: false),
        Change(["a": 1, "b": 1], ["a": 1], "b was removed", breaks: true),
        Change(["a": 1], ["a": "x"], "a changed from integer to string", breaks: true),
        Change(["a": 1], ["a": 1.5], "a changed from integer to number", breaks: true),
        Change(["a": 1.5], ["a": 1], "a changed from number to integer", breaks: false),
        Change(["a": [1]], ["a": ["x"]], "a changed from array of integer to array of string", breaks: true),
        Change(["a": [["b": 1]]], ["a": [["b": 1, "c": 1]]], "a[].c was added", breaks: false),
        Change(["a": ["b": 1]], ["a": [:]], "a.b was removed", breaks: true),
    ])
    func `a change of a key has a description, and may break consumers`(change: Change) {
        let difference = PlanDifference(from: plan(entry(change.old)), to: plan(entry(change.new)))

        #expect(difference.changes.map(\.text) == ["AC firebase sign_up: \(change)"])
        #expect(difference.breaksConsumers == change.isBreaking)
    }

    @Test func `a key that becomes optional breaks consumers, a key that becomes required does not`() {
        let always = entry(["a": 1])
        var sometimes = always
        sometimes.parameters = always.parameters.merged(with: ValueSchema(ofParameters: EventParameters()))

        #expect(PlanDifference(from: plan(always), to: plan(sometimes)).breaksConsumers)
        #expect(!PlanDifference(from: plan(sometimes), to: plan(always)).breaksConsumers)
    }

    @Test func `a removed event breaks consumers, a new event does not`() {
        #expect(PlanDifference(from: plan(entry([:])), to: plan()).breaksConsumers)
        #expect(!PlanDifference(from: plan(), to: plan(entry([:]))).breaksConsumers)
    }

    @Test func `another policy of a sensitive value breaks consumers`() {
        let hashed = entry(.sensitive(Sensitive("s"), as: "a", policy: .hash))
        let passed = entry(.sensitive(Sensitive("s"), as: "a", policy: .pass(.marketing)))

        let difference = PlanDifference(from: plan(hashed), to: plan(passed))

        #expect(
            difference.changes.map(\.text) == [
                "AC firebase sign_up: a changed its policy from hash to pass for marketing"
            ]
        )
        #expect(difference.breaksConsumers)
    }

    @Test func `an event that moves to another type, module or owner breaks nothing`() {
        var moved = entry(["a": 1])
        (moved.event, moved.module, moved.owner) = ("Registered", "ACUsers", "Users")

        let difference = PlanDifference(from: plan(entry(["a": 1])), to: plan(moved))

        #expect(difference.changes.count == 3)
        #expect(!difference.breaksConsumers)
    }

    @Test func `one of two events under the same name may end without a change for consumers`() {
        var second = entry(["a": 1])
        second.event = "SignedUpAgain"

        let difference = PlanDifference(from: plan(entry(["a": 1]), second), to: plan(entry(["a": 1])))

        #expect(difference.changes.isEmpty)
    }

    private func plan(_ entries: PlanEntry...) -> Plan {
        var plan = Plan()
        plan.entries = entries
        return plan
    }

    private func entry(_ parameters: EventParameters) -> PlanEntry {
        PlanEntry(
            product: "AC",
            module: "ACAccounts",
            event: "SignedUp",
            title: "Signed up",
            owner: "Accounts",
            purpose: "How users come.",
            service: "firebase",
            name: "sign_up",
            rules: "none",
            parameters: ValueSchema(ofParameters: parameters)
        )
    }
}
