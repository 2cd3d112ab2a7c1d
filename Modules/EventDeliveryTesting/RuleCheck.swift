public import CoreTracker
public import EventDelivery

/// Whether events could go to destinations: each event against each, before one of them is shipped.
///
/// An event is held to every destination, also to those that it does not name, under the names and parameters that it
/// has for its own services: so it also tells what a vendor would do to the events that a product has today. Sensitive
/// values are taken as each destination would get them.
public enum RuleCheck {
    /// A rule that an event breaks at a destination.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The event's type.
        public let event: String
        /// The event's name at the service that it names.
        public let name: String
        /// The destination's lane.
        public let destination: LaneID
        /// The rule by which the destination refuses or repairs the event.
        public let rule: String

        public var description: String { "\(event) (\(name)): \(destination): \(rule)" }
    }

    /// All that is wrong.
    public struct Violation: Error, CustomStringConvertible {
        /// The broken rules, event by event.
        public let findings: [Finding]

        public var description: String { findings.map(\.description).joined(separator: "\n") }
    }

    /// Throws with every rule that one of the events breaks at one of the destinations.
    public static func check(
        _ events: [any CoreTrackable],
        against destinations: [any Destination],
        identity: Identity = .stub(userID: "u-1"),
        time: Timestamp = SystemClock().wallTime()
    ) throws {
        let findings = findings(in: events, against: destinations, identity: identity, time: time)
        if !findings.isEmpty { throw Violation(findings: findings) }
    }

    /// Every rule that one of the events breaks at one of the destinations, once each.
    public static func findings(
        in events: [any CoreTrackable],
        against destinations: [any Destination],
        identity: Identity = .stub(userID: "u-1"),
        time: Timestamp = SystemClock().wallTime()
    ) -> [Finding] {
        var findings: [Finding] = []
        for event in events {
            for (name, parameters) in event.services.map(content) {
                for destination in destinations {
                    let parameters = parameters.disclosed(for: destination.purpose.name) { _ in sampleHash }
                    let outgoing = OutgoingEvent.stub(
                        name: name,
                        parameters: parameters,
                        time: time,
                        identity: identity
                    )
                    findings += destination.rulesBroken(by: outgoing).map { rule in
                        Finding(
                            event: String(describing: type(of: event)),
                            name: name,
                            destination: destination.lane,
                            rule: rule
                        )
                    }
                }
            }
        }
        var seen: Set<Finding> = []
        return findings.filter { seen.insert($0).inserted }
    }

    /// Every rule that an example of a module's events breaks at one of the destinations, once each.
    public static func findings(
        in catalog: EventCatalog,
        against destinations: [any Destination],
        identity: Identity = .stub(userID: "u-1"),
        time: Timestamp = SystemClock().wallTime()
    ) -> [Finding] {
        let examples = catalog.events.flatMap { $0.examples }
        return findings(in: examples, against: destinations, identity: identity, time: time)
    }

    /// A hash of the length that the engine's have.
    private static let sampleHash = String(repeating: "0", count: 64)

    private static func content(of service: EventService) -> (String, EventParameters) {
        (service.event.name, service.event.parameters)
    }
}

extension PlannedEvent {
    /// The examples of the event's plan, their type forgotten.
    fileprivate static var examples: [any CoreTrackable] { plan.examples }
}
