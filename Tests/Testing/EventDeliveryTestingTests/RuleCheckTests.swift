import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct RuleCheckTests {
    @Test func `events that keep the rules of all destinations pass`() throws {
        try RuleCheck.check([LongNamed(name: "opened")], against: [LineDestination(), FaultyDestination(nil)])
    }

    @Test func `a broken rule is reported with its event and destination`() throws {
        let events = [LongNamed(name: "opened"), LongNamed(name: "opened_by_a_very_long_way"), LongNamed(name: "")]

        let violation = try #require(throws: ContractViolation.self) {
            try RuleCheck.check(events, against: [LineDestination(), FaultyDestination(nil)])
        }

        #expect(
            violation.description == """
                LongNamed (opened_by_a_very_long_way): T/faulty: name_too_long
                LongNamed (): T/lines: name_empty
                LongNamed (): T/faulty: name_empty
                """
        )
    }

    @Test func `a number without a JSON form is reported if the destination has no rule for it`() {
        let event = Measured(parameters: ["price": .double(.infinity)])

        let findings = RuleCheck.findings(in: [event], against: [LineDestination()])

        #expect(findings.map(\.description) == ["Measured (measured): T/lines: value_without_json"])
    }

    @Test func `an event that the engine drops or counts as adjusted is reported`() {
        let deep = (0..<70).reduce(ParameterValue.int(1)) { value, _ in .array([value]) }
        let large = EventParameters((0..<1_025).map { (ParameterKey("k\($0)"), .int($0)) })
        let plain = EventParameters(["promo": String?.none] as PlainParameters)

        let findings = [["deep": deep], large, plain].flatMap {
            RuleCheck.findings(in: [Measured(parameters: $0)], against: [LineDestination()]).map(\.description)
        }

        let rules = ["parameters_too_deep", "too_many_parameters", "value_nil"]
        #expect(findings == rules.map { "Measured (measured): T/lines: \($0)" })
    }

    @Test func `a module's examples are checked, with sensitive values as each destination gets them`() {
        let catalog = EventCatalog("XX", product: "XX", events: [Invited.self])
        let limits = BatchLimits(events: 1, bodyBytes: 1_000, framingBytes: 0)
        let destinations = ["analytics", "marketing"].map { name in
            let lane = LaneID(product: "T", service: name)
            return LineDestination(lane: lane, purpose: ConsentPurpose(name), limits: limits)
        }

        let findings = RuleCheck.findings(in: catalog, against: destinations)

        #expect(findings.map(\.description) == ["Invited (invited): T/marketing: event_too_large"])
    }

    @Test func `a module's examples are checked with the module's default parameters`() {
        let defaults: EventParameters = ["rate": .double(.infinity)]
        let catalog = EventCatalog("XX", product: "XX", defaults: defaults, events: [Invited.self])

        let findings = RuleCheck.findings(in: catalog, against: [LineDestination()])

        #expect(findings.map(\.description) == ["Invited (invited): T/lines: value_without_json"])
    }
}

/// An event with parameters chosen by the test.
private struct Measured: CoreTrackable {
    let parameters: EventParameters

    var services: [EventService] { [.firebase(FirebaseEvent(name: "measured", parameters: parameters))] }
}

/// A planned event.
///
/// In its second example, a value that only marketing destinations get is too long.
private struct Invited: PlannedEvent {
    let mail: Sensitive<String>

    var services: [EventService] {
        [.firebase(FirebaseEvent(name: "invited", parameters: .sensitive(mail, as: "mail", policy: .pass(.marketing))))]
    }

    static var plan: EventPlan<Invited> {
        let examples = ["a", String(repeating: "a", count: 1_000)].map { Invited(mail: Sensitive($0)) }
        return EventPlan("Invited", owner: "Tests", purpose: "To be checked.", examples: examples)
    }
}

/// An event with a name chosen by the test, for two services.
private struct LongNamed: CoreTrackable {
    let name: String

    var services: [EventService] {
        [.firebase(FirebaseEvent(name: name)), .awesomeTracking(AwesomeTrackingEvent(name: name))]
    }
}
