public import CoreTracker
import EventDelivery

/// Holds the events of catalogs to the rules of the plan and of each service that they name, before they are shipped.
public enum PlanCheck {
    /// The rules of the plan itself.
    enum Rule: String, CaseIterable {
        /// The event has no name, or only white space.
        case nameEmpty = "plan_name_empty"
        /// Another event of the product has the same name.
        case nameTaken = "plan_name_taken"
        /// Nobody answers for the event.
        case ownerEmpty = "plan_owner_empty"
        /// The purpose is not said.
        case purposeEmpty = "plan_purpose_empty"
        /// There is no example, so that nothing is known of the event.
        case exampleMissing = "plan_example_missing"
        /// No example goes to any service.
        case serviceMissing = "plan_service_missing"
    }

    /// Answers each rule that an example breaks at a service that it names, and each rule of the plan that an event
    /// breaks; empty when all is well.
    ///
    /// Every example is encoded by the destination that delivers it in the app. What is refused, and what is repaired
    /// on the way, is a finding. A service without a destination for the catalog's product is one too
    /// (`no_destination`).
    public static func findings(in catalogs: [EventCatalog], at services: [CheckedService]) -> [PlanFinding] {
        var findings: [PlanFinding] = []
        var taken: Set<[String]> = []
        for catalog in catalogs {
            for event in catalog.events {
                let declared = DeclaredEvent(event, in: catalog)
                findings += rulesBroken(by: declared, taken: &taken)
                    .map { PlanFinding(event: declared.type, service: "plan", rule: $0.rawValue) }
                findings += limitsBroken(by: declared, at: services)
            }
        }
        return findings
    }

    private static func rulesBroken(by event: DeclaredEvent, taken: inout Set<[String]>) -> [Rule] {
        var rules: [Rule] = []
        if event.name.allSatisfy(\.isWhitespace) {
            rules.append(.nameEmpty)
        } else if !taken.insert([event.product, event.name.lowercased()]).inserted {
            rules.append(.nameTaken)
        }
        if event.owner.allSatisfy(\.isWhitespace) { rules.append(.ownerEmpty) }
        if event.purpose.allSatisfy(\.isWhitespace) { rules.append(.purposeEmpty) }
        if event.examples.isEmpty {
            rules.append(.exampleMissing)
        } else if event.examples.allSatisfy(\.isEmpty) {
            rules.append(.serviceMissing)
        }
        return rules
    }

    private static func limitsBroken(by event: DeclaredEvent, at services: [CheckedService]) -> [PlanFinding] {
        var findings: [PlanFinding] = []
        for call in event.examples.joined() {
            guard let service = services.first(where: { $0.takes(call.service, of: event.product) }) else {
                findings.append(PlanFinding(event: event.type, service: call.service, rule: "no_destination"))
                continue
            }
            findings += brokenRules(of: call, at: service.destination).map { rule, field in
                PlanFinding(event: event.type, service: call.service, rule: rule, field: field)
            }
        }
        var seen: Set<PlanFinding> = []
        return findings.filter { seen.insert($0).inserted }
    }

    private static func brokenRules(
        of call: DeclaredCall,
        at destination: any Destination
    ) -> [(rule: String, field: String?)] {
        let event = call.outgoing(for: destination.purpose.name)
        var encoder = EventEncoder()
        do throws(EventRefusal) {
            try destination.encode(event, into: &encoder)
        } catch {
            return [(error.rule, error.field)]
        }
        var rules = encoder.repairs.keys.sorted()
        if encoder.json.coercions > 0 { rules.append("value_without_json") }
        if encoder.byteCount > destination.limits.eventBytes { rules.append(DropReason.tooLarge.name) }
        return rules.map { ($0, nil) }
    }
}
