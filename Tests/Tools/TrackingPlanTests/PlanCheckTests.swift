import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct PlanCheckTests {
    @Test func `events that keep the rules have no findings`() throws {
        #expect(PlanCheck.findings(in: [.accounts], at: try CheckedService.stubs()).isEmpty)
    }

    @Test(arguments: [
        ("Names", "firebase", ["name_empty", "name_too_long", "name_invalid", "name_reserved"]),
        ("Names", "awesomeTracking", ["name_empty"]),
        ("Names", "nobody", ["no_destination"]),
        ("Keys", "firebase", ["key_empty", "key_too_long", "key_invalid", "key_reserved", "too_many_parameters"]),
        (
            "Values", "firebase",
            [
                "value_too_long", "identifier_too_long", "value_nested", "value_not_finite",
                "automatic_parameter_invalid", "transaction_id_empty",
            ]
        ),
        ("Values", "awesomeTracking", ["value_without_json"]),
        ("Items", "firebase", ["items_empty", "item_invalid", "too_many_elements", "too_many_element_keys"]),
        (
            "Braze", "braze",
            [
                "name_empty", "name_too_long", "name_invalid", "name_reserved", "key_empty", "key_too_long",
                "key_invalid", "key_reserved", "too_many_parameters", "value_too_long", "value_not_finite",
                "value_too_deep", "properties_too_large",
            ]
        ),
        (
            "Adobe", "adobe",
            [
                "name_empty", "name_invalid", "key_empty", "key_invalid", "value_not_finite", "value_too_deep",
                "event_too_large",
            ]
        ),
        ("Sumo", "sumo", ["name_empty", "value_without_json", "event_too_large"]),
        (
            "Anonymous", "plan",
            ["plan_name_empty", "plan_owner_empty", "plan_purpose_empty", "plan_example_missing"]
        ),
        ("Taken", "plan", ["plan_name_taken"]),
        ("Silent", "plan", ["plan_service_missing"]),
        ("Personal", "plan", ["plan_key_personal"]),
        ("Endless", "awesomeTracking", ["event_too_large"]),
    ])
    func `an event that breaks rules is reported with its service and each rule`(
        event: String,
        service: String,
        rules: [String]
    ) throws {
        let findings = PlanCheck.findings(in: [BrokenEvents.catalog], at: try CheckedService.stubs())

        #expect(Set(findings.filter { $0.event == event && $0.service == service }.map(\.rule)) == Set(rules))
    }

    @Test func `every rule of the plan is broken by an event of these tests`() throws {
        let findings = PlanCheck.findings(in: [BrokenEvents.catalog], at: try CheckedService.stubs())

        #expect(
            Set(findings.filter { $0.service == "plan" }.map(\.rule)) == Set(PlanCheck.Rule.allCases.map(\.rawValue))
        )
    }

    @Test func `a finding names the event, the service, the rule and the field in one line`() {
        let finding = PlanFinding(event: "SignedUp", service: "firebase", rule: "key_reserved", field: "ga_key")

        #expect("\(finding)" == "SignedUp: firebase: key_reserved (ga_key)")
    }
}
