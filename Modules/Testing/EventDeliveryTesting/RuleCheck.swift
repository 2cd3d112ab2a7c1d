public import CoreTracker
import CoreTrackerTesting
public import EventDelivery

/// A check whether destinations would accept events before they are released.
///
/// ```swift
/// let findings = RuleCheck.findings(in: catalog, against: destinations)
/// ```
///
/// Every event is checked against every destination, including destinations of other services. The check uses the
/// event's names and parameters at its services, over the catalog's default parameters. It therefore also shows how a
/// new vendor would treat the existing events of a product. Each destination gets sensitive values according to their
/// policy.
public enum RuleCheck {
    /// A rule broken by an event at a destination.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The event's type.
        public let event: String
        /// The event's name at one of its services.
        public let name: String
        /// The destination's lane.
        public let destination: LaneID
        /// The rule by which the destination refuses or adjusts the event.
        public let rule: String

        public var description: String { "\(event) (\(name)): \(destination): \(rule)" }
    }

    /// Checks events against destinations.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - destinations: The destinations.
    ///   - identity: The identity of the events.
    ///   - time: The time of the events.
    /// - Throws: `ContractViolation` with all broken rules.
    public static func check(
        _ events: [any CoreTrackable],
        against destinations: [any Destination],
        identity: Identity = .stub(userID: "u-1"),
        time: Timestamp = SystemClock().wallTime()
    ) throws {
        let findings = findings(in: events, against: destinations, identity: identity, time: time)
        try expect(findings.isEmpty, findings.map(\.description).joined(separator: "\n"))
    }

    /// Returns all rules that events break at destinations, each once.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - destinations: The destinations.
    ///   - identity: The identity of the events.
    ///   - time: The time of the events.
    /// - Returns: The findings, grouped by event.
    public static func findings(
        in events: [any CoreTrackable],
        against destinations: [any Destination],
        identity: Identity = .stub(userID: "u-1"),
        time: Timestamp = SystemClock().wallTime()
    ) -> [Finding] {
        findings(in: events, over: [], against: destinations, identity: identity, time: time)
    }

    /// Returns all rules broken at destinations by the examples of a module's events, each once.
    ///
    /// - Parameters:
    ///   - catalog: The event catalog of the module.
    ///   - destinations: The destinations.
    ///   - identity: The identity of the events.
    ///   - time: The time of the events.
    /// - Returns: The findings, grouped by event.
    public static func findings(
        in catalog: EventCatalog,
        against destinations: [any Destination],
        identity: Identity = .stub(userID: "u-1"),
        time: Timestamp = SystemClock().wallTime()
    ) -> [Finding] {
        findings(
            in: catalog.events.flatMap { $0.examples },
            over: catalog.defaults,
            against: destinations,
            identity: identity,
            time: time
        )
    }

    private static func findings(
        in events: [any CoreTrackable],
        over defaults: EventParameters,
        against destinations: [any Destination],
        identity: Identity,
        time: Timestamp
    ) -> [Finding] {
        var findings: [Finding] = []
        for event in events {
            for service in event.services.map(\.event) {
                for destination in destinations {
                    let redacted = { (parameters: EventParameters) in
                        parameters.redacted(for: destination.purpose.name) { _ in sampleHash }
                    }
                    let outgoing = OutgoingEvent.stub(
                        name: service.name,
                        parameters: redacted(service.parameters),
                        defaults: redacted(defaults.merging(service.defaults)),
                        time: time,
                        identity: identity
                    )
                    findings += destination.rulesBroken(by: outgoing).map { rule in
                        Finding(
                            event: String(describing: type(of: event)),
                            name: service.name,
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

    /// A placeholder with the length of the engine's hashes.
    private static let sampleHash = String(repeating: "0", count: 64)
}

extension PlannedEvent {
    /// The examples of the event's plan, with an erased type.
    fileprivate static var examples: [any CoreTrackable] { plan.examples }
}
