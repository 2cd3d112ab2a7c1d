import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct PlanDifferenceTests {
    /// A change of a key.
    struct Change: Sendable, CustomStringConvertible {
        let old: EventParameters
        let new: EventParameters
        let description: String
        let platforms: String

        init(_ old: EventParameters, _ new: EventParameters, _ description: String, breaks platforms: String) {
            (self.old, self.new, self.description, self.platforms) = (old, new, description, platforms)
        }
    }

    @Test(arguments: [
        Change(["a": 1], ["a": 1, "b": 1], "b was added", breaks: "Kotlin, TypeScript"),
        Change(["a": 1, "b": 1], ["a": 1], "b was removed", breaks: "receivers, Kotlin, TypeScript"),
        Change(["a": 1], ["a": "x"], "a changed from integer to string", breaks: "receivers, Kotlin, TypeScript"),
        Change(["a": 1], ["a": 1.5], "a changed from integer to number", breaks: "receivers, Kotlin, TypeScript"),
        Change(["a": 1.5], ["a": 1], "a changed from number to integer", breaks: "Kotlin"),
        Change(
            ["a": [1]],
            ["a": ["x"]],
            "a changed from array of integer to array of string",
            breaks: "receivers, Kotlin, TypeScript"
        ),
        Change(["a": [["b": 1]]], ["a": [["b": 1, "c": 1]]], "a[].c was added", breaks: "Kotlin, TypeScript"),
        Change(["a": ["b": 1]], ["a": [:]], "a.b was removed", breaks: "receivers, Kotlin, TypeScript"),
    ])
    func `a change of a key has a description, and names the platforms that it breaks`(change: Change) {
        let difference = PlanDifference(from: plan(entry(change.old)), to: plan(entry(change.new)))

        #expect(difference.changes.map(\.text) == ["AC firebase sign_up: \(change)"])
        #expect(difference.changes.map(\.platforms) == [change.platforms])
    }

    @Test func `a key that becomes optional breaks receivers, and one that becomes required breaks callers`() {
        let (always, sometimes) = (entry(["a": 1]), optional(entry(["a": 1])))

        #expect(platforms(from: always, to: sometimes) == ["receivers"])
        #expect(platforms(from: sometimes, to: always) == ["Kotlin, TypeScript"])
        #expect(platforms(from: entry([:]), to: sometimes) == [""])
    }

    @Test(arguments: [[], ["a", "b"]])
    func `a key with a default breaks no caller until the default ends`(allowed: [String]) throws {
        let withoutDefault = entry("a", allowing: allowed)
        var withDefault = withoutDefault
        withDefault.parameters.add(defaults: ["state": "a"])

        #expect(platforms(from: entry([:]), to: withDefault) == [""])
        #expect(platforms(from: withDefault, to: withoutDefault) == ["Kotlin, TypeScript"])
        #expect(platforms(from: withoutDefault, to: withDefault).isEmpty)
    }

    @Test(arguments: [["state": "a"], ["state": [1]]] as [EventParameters])
    func `a key is required in the code if its type does not allow the default`(parameters: EventParameters) throws {
        var entry = entry(parameters)
        let key = PlanNotes.Key(meaning: "", values: [PlanNotes.AllowedValue(value: "a", meaning: "")])
        entry.parameters.add({ $0 == "state" ? key : nil }, examples: [.object(parameters)])
        entry.parameters.add(defaults: ["state": "b"])

        let contract = try #require(try Contract.all(of: plan(entry), at: try CheckedService.stubs()).first)

        #expect(contract.events[0].structure.hasStated)
        #expect(platforms(from: self.entry([:]), to: entry) == ["Kotlin, TypeScript"])
    }

    @Test func `another name on the wire breaks only receivers if the name in the code stays`() {
        #expect(
            platforms(from: entry(["itemID": 1]), to: entry(["item_id": 1])).contains("receivers, Kotlin, TypeScript")
        )
        #expect(platforms(from: entry(["itemId": 1]), to: entry(["item_id": 1])) == ["receivers", ""])
    }

    @Test(
        arguments: [
            (["new", "used"], ["new"], "is now one of “new”", "Kotlin, TypeScript"),
            (["new"], ["new", "used"], "is now one of “new”, “used”", ""),
            ([], ["new"], "is now one of “new”", "Kotlin, TypeScript"),
            (["new"], [], "may now be any text", "Kotlin"),
        ] as [([String], [String], String, String)]
    )
    func `callers break if a key allows fewer texts`(
        old: [String],
        new: [String],
        description: String,
        platforms: String
    ) {
        let difference = PlanDifference(from: plan(entry("new", allowing: old)), to: plan(entry("new", allowing: new)))

        #expect(difference.changes.map(\.text) == ["AC firebase sign_up: state \(description)"])
        #expect(difference.changes.map(\.platforms) == [platforms])
    }

    private func platforms(from old: PlanEntry, to new: PlanEntry) -> [String] {
        PlanDifference(from: plan(old), to: plan(new)).changes.map(\.platforms)
    }

    private func optional(_ entry: PlanEntry) -> PlanEntry {
        var entry = entry
        entry.parameters = entry.parameters.merged(with: ValueSchema(ofParameters: EventParameters()))
        return entry
    }

    private func entry(_ text: String, allowing texts: [String]) -> PlanEntry {
        var entry = entry(["state": .string(text)])
        let key = PlanNotes.Key(meaning: "", values: texts.map { PlanNotes.AllowedValue(value: $0, meaning: "") })
        entry.parameters.add({ _ in key }, examples: [.object(["state": .string(text)])])
        return entry
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
