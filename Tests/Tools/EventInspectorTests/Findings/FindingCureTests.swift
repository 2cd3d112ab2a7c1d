import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct FindingCureTests {
    @Test(arguments: [
        (
            Finding.Source.ga4, "VALUE_REQUIRED", "params.transaction_id",
            "Set “transaction_id” in the event's Firebase part."
        ),
        (.ga4, "NAME_RESERVED", "", "Rename it: Google reserves this name, or its prefix."),
        (.plan, "missing", "items[0].price", "Set “price” in the event. If it is optional,"),
        (.plan, "type", "value", "Send “value” with the planned type."),
        (.plan, "unplanned_key", "coupon", "Add an example with “coupon” to the event's plan,"),
        (.plan, "not_in_plan", "x", "Add the event to its module's EventCatalog"),
        (.engine, "name_reserved", "", "Rename it: the service reserves this name"),
        (.engine, "name_too_long", "", "Shorten the event's name"),
        (.engine, "value_too_long", "", "Shorten it to the length in the plan's rules."),
        (.engine, "too_many_parameters", "", "Send fewer of them"),
        (.engine, "rule_of_an_app", "", "Change the event as the service's rules"),
        (.receiver, "unreadable_body", "", "Check the endpoint"),
    ])
    func `each finding recommends a change`(source: Finding.Source, code: String, path: String, cure: String) {
        let finding = Finding(severity: .error, source: source, code: code, path: path, text: "")

        #expect(finding.cure.hasPrefix(cure))
    }

    @Test func `each code of Google's validation has a separate recommendation`() {
        let cures = ValidationMessage.Code.allCases.map { code in
            Finding(severity: .error, source: .ga4, code: code.rawValue, path: "params.x", text: "").cure
        }

        #expect(Set(cures).count == cures.count && !cures.contains("Change the event as this message describes."))
    }
}
