public import CoreTracker
import EventDelivery

/// A check of events against the rules of the plan and of their services.
///
/// ```swift
/// let findings = PlanCheck.findings(in: [.dlCheckout], at: services)
///
/// #expect(findings.isEmpty)
/// ```
public enum PlanCheck {
    /// A rule of the plan itself.
    enum Rule: String, CaseIterable {
        /// The event's name is empty or consists of white space.
        case nameEmpty = "plan_name_empty"
        /// Another event of the product has the same name.
        case nameTaken = "plan_name_taken"
        /// The event has no owner.
        case ownerEmpty = "plan_owner_empty"
        /// The event has no purpose.
        case purposeEmpty = "plan_purpose_empty"
        /// The event has no example, so its parameters are unknown.
        case exampleMissing = "plan_example_missing"
        /// No example has a service.
        case serviceMissing = "plan_service_missing"
        /// A parameter's name suggests a secret or personal data, and its value has no policy for sensitive values.
        case keyPersonal = "plan_key_personal"
    }

    /// Returns the rules that events and their examples break.
    ///
    /// Each example is encoded by the destination that delivers it in the app. There is a finding if the destination
    /// refuses or adjusts it. There is also a finding if a service has no destination for the catalog's product
    /// (`no_destination`).
    ///
    /// - Parameters:
    ///   - catalogs: The catalogs of the events.
    ///   - services: The services of the catalogs' products.
    /// - Returns: The findings, which are empty if no rule is broken.
    public static func findings(in catalogs: [EventCatalog], at services: [CheckedService]) -> [PlanFinding] {
        var findings: [PlanFinding] = []
        var taken: Set<[String]> = []
        for catalog in catalogs {
            for event in catalog.events {
                let declared = DeclaredEvent(event, in: catalog)
                findings += rulesBroken(by: declared, taken: &taken)
                    .map { PlanFinding(event: declared.type, service: "plan", rule: $0.rawValue) }
                findings += quotasBroken(by: declared, at: services)
                findings += personalKeys(of: declared)
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

    private static func personalKeys(of event: DeclaredEvent) -> [PlanFinding] {
        let keys = Set(event.examples.joined().flatMap { personalKeys(in: $0.parameters) })
        return keys.sorted().map {
            PlanFinding(event: event.type, service: "plan", rule: Rule.keyPersonal.rawValue, field: $0)
        }
    }

    /// Returns the names that suggest personal data, also in nested objects and lists.
    private static func personalKeys(in parameters: EventParameters) -> [String] {
        parameters.flatMap { parameter in
            (parameter.key.suggestsPersonalData ? [parameter.key.name] : []) + personalKeys(in: parameter.value)
        }
    }

    private static func personalKeys(in value: ParameterValue) -> [String] {
        switch value {
        case .string, .int, .double, .bool: []
        case .array(let list): list.flatMap { personalKeys(in: $0) }
        case .object(let members): personalKeys(in: members)
        }
    }

    private static func quotasBroken(by event: DeclaredEvent, at services: [CheckedService]) -> [PlanFinding] {
        var findings: [PlanFinding] = []
        for call in event.examples.joined() {
            guard let service = services.first(where: { $0.accepts(call.service, of: event.product) }) else {
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
        if let excess = DropReason.excess(of: event.parameters, event.defaults) { return [(excess.name, nil)] }
        var encoder = EventEncoder()
        do throws(EventEncodingError) {
            try destination.encode(event, into: &encoder)
        } catch {
            return [(error.rule, error.field)]
        }
        var rules = encoder.adjustments.keys.sorted()
        if encoder.json.coercions > 0 { rules.append("value_without_json") }
        if event.parameters.hasAbsent || event.defaults.hasAbsent { rules.append("value_nil") }
        if encoder.byteCount > destination.limits.eventBytes { rules.append(DropReason.tooLarge.name) }
        return rules.map { ($0, nil) }
    }
}

/// A rule broken by an event of a catalog.
public struct PlanFinding: Sendable, Hashable {
    /// The event's type, such as `DLOrderPlaced`.
    public let event: String
    /// The service that would refuse or adjust the event, such as `firebase`, or `plan` for the plan's rules.
    public let service: String
    /// The stable name of the rule, such as `name_too_long`.
    ///
    /// Ledgers use the same names.
    public let rule: String
    /// The part of the event that breaks the rule, if the service specifies it.
    ///
    /// It is never a value.
    public let field: String?

    /// Creates a finding.
    init(event: String, service: String, rule: String, field: String? = nil) {
        self.event = event
        self.service = service
        self.rule = rule
        self.field = field
    }
}

extension PlanFinding: CustomStringConvertible {
    public var description: String {
        "\(event): \(service): \(rule)" + (field.map { " (\($0))" } ?? "")
    }
}
