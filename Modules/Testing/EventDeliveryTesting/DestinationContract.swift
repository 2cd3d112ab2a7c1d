public import CoreTracker
public import EventDelivery
public import LoopbackCollector
public import MultiTracker

/// The contract of `Destination`, for the destinations of all vendors.
///
/// ```swift
/// let contract = DestinationContract(FaultyDestination(.idMissing), bodies: [], statuses: [:])
/// ```
///
/// ``check()`` throws an error with all violations, so it works in Swift Testing and XCTest. The test supplies the
/// facts from the vendor's documentation: golden bodies, limits, the meanings of statuses, and further responses.
public struct DestinationContract: Sendable {
    /// A rule of the contract, with its name in findings.
    public enum Requirement: String, Sendable, Hashable, CaseIterable {
        /// Repeated calls of a member return the same value.
        case pure
        /// Events produce the bodies of the golden files, byte for byte.
        case goldenBodies = "golden bodies"
        /// A value at a limit is not changed.
        ///
        /// A value beyond it is refused or adjusted by the rule of the limit.
        case limits
        /// The framing of a full batch fits into the bytes reserved for it by the limits.
        case framing
        /// Every request satisfies the published rules of the vendor's receiver.
        case receiver = "receiver's rules"
        /// No text breaks the body, forges an event, is lost without a count, or becomes part of a rule's name.
        case hostileText = "hostile text"
        /// A missing destination and a disabled tracker send nothing.
        case disabled
        /// Without consent, nothing is sent or stored.
        case consent
        /// Each status has its documented meaning.
        ///
        /// The page of a captive portal is not an acknowledgement.
        case statuses
        /// Responses about single events are decoded, and refer only to events of the batch.
        case partialSuccess = "partial success"
        /// A retry is the same request, and the request contains the event's id.
        case retry
        /// Secrets occur only in requests, not in a description, event, batch key, diagnostic or file.
        case secrets
    }

    /// A golden file with the expected body of a request.
    public struct GoldenBody: Sendable {
        let name: String
        let events: [OutgoingEvent]
        let text: String

        /// Creates a golden body.
        ///
        /// - Parameters:
        ///   - name: The name of the file, for findings.
        ///   - events: The events, which share a request.
        ///   - text: The body of the request. A final line feed is ignored.
        public init(_ name: String, of events: [OutgoingEvent], is text: String) {
            self.name = name
            self.events = events
            self.text = text
        }
    }

    /// A limit of the vendor.
    public struct Limit: Sendable {
        let rule: String
        let maximum: Int
        let event: @Sendable (Int) -> OutgoingEvent

        /// Creates a limit.
        ///
        /// - Parameters:
        ///   - rule: The name under which violations are counted.
        ///   - maximum: The largest size accepted without an adjustment.
        ///   - event: A closure that creates an event of a size.
        public init(_ rule: String, at maximum: Int, event: @escaping @Sendable (Int) -> OutgoingEvent) {
            self.rule = rule
            self.maximum = maximum
            self.event = event
        }
    }

    /// A response to a batch of three events, in addition to the table of statuses.
    public struct Response: Sendable {
        let response: HTTPResponse
        let result: BatchResult

        /// Creates a response with its expected result.
        ///
        /// - Parameters:
        ///   - response: The response to a batch of three events.
        ///   - result: The expected result of the destination.
        public init(_ response: HTTPResponse, means result: BatchResult) {
            self.response = response
            self.result = result
        }
    }

    let destination: any Destination
    let sample: OutgoingEvent
    let acknowledgement: HTTPResponse
    let sendsEventIDs: Bool
    let bodies: [GoldenBody]
    let limits: [Limit]
    let statuses: [Int: BatchResult]
    let responses: [Response]
    let receiver: ReceiverRules?
    let secrets: [String]
    let tracker: (@Sendable (DeliveryEngine) -> any Trackable)?

    /// Creates a contract for a destination.
    ///
    /// - Parameters:
    ///   - destination: The destination to check.
    ///   - sample: An event accepted by the destination without adjustments.
    ///   - acknowledgement: The response with which the vendor acknowledges a batch.
    ///   - sendsEventIDs: Whether the vendor's format includes event ids.
    ///   - bodies: The golden files, at least one.
    ///   - limits: The vendor's limits. Empty if the vendor documents none.
    ///   - statuses: The expected results for responses without a body, by status.
    ///   - responses: Responses that the table cannot describe, such as partial success.
    ///   - receiver: The published rules of the vendor's receiver, if the package has them.
    ///   - secrets: The secret texts of the configuration.
    ///   - tracker: A closure that creates the vendor's tracker on an engine, if there is one.
    public init(
        _ destination: any Destination,
        sample: OutgoingEvent = .stub(),
        acknowledgement: HTTPResponse = HTTPResponse(status: 200),
        sendsEventIDs: Bool = true,
        bodies: [GoldenBody],
        limits: [Limit] = [],
        statuses: [Int: BatchResult],
        responses: [Response] = [],
        receiver: ReceiverRules? = nil,
        secrets: [String] = [],
        tracker: (@Sendable (DeliveryEngine) -> any Trackable)? = nil
    ) {
        self.destination = destination
        self.sample = sample
        self.acknowledgement = acknowledgement
        self.sendsEventIDs = sendsEventIDs
        self.bodies = bodies
        self.limits = limits
        self.statuses = statuses
        self.responses = responses
        self.receiver = receiver
        self.secrets = secrets
        self.tracker = tracker
    }

    /// Checks all rules.
    ///
    /// - Throws: ``Violation`` with all findings, if there are any.
    public func check() async throws {
        let findings = try await findings()
        if !findings.isEmpty { throw Violation(lane: destination.lane, findings: findings) }
    }

    /// Checks all rules and returns the findings.
    ///
    /// If the destination refuses the sample or does not recognize the acknowledgement, no other rule is checked.
    ///
    /// - Returns: The findings, in the order of the rules.
    /// - Throws: An error if an engine cannot be opened.
    public func findings() async throws -> [Finding] {
        if let finding = unusable { return [finding] }
        var findings = purity() + goldenBodies() + quotasKept() + framing() + hostileText()
        findings += receiverRulesKept()
        findings += statusTable() + partialSuccess()
        findings += try await disabled()
        findings += try await consent()
        findings += try await retry()
        findings += try await secretsKept()
        return findings
    }

    /// The reason the destination cannot deliver any event, if there is one.
    private var unusable: Finding? {
        do throws(EventEncodingError) {
            let batch = try destination.batch(of: [sample])
            let result = destination.result(for: acknowledgement, of: batch)
            guard result != .delivered else { return nil }
            return Finding(.statuses, "the acknowledgement, status \(acknowledgement.status), means \(result)")
        } catch {
            return Finding(.goldenBodies, "the sample is refused by the rule \(error.rule)")
        }
    }
}

extension DestinationContract {
    /// A violation of a rule.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The rule.
        public let requirement: Requirement
        /// The description of the violation.
        public let text: String

        init(_ requirement: Requirement, _ text: String) {
            self.requirement = requirement
            self.text = text
        }

        public var description: String { "\(requirement.rawValue): \(text)" }
    }

    /// An error with all violations of a destination.
    public struct Violation: Error, CustomStringConvertible {
        /// The destination's lane.
        public let lane: LaneID
        /// The findings, in the order of the rules.
        public let findings: [Finding]

        public var description: String {
            "\(lane): " + findings.map(\.description).joined(separator: "\n\(lane): ")
        }
    }

    /// Returns a finding, unless a condition holds.
    static func finding(
        _ requirement: Requirement,
        unless holds: Bool,
        _ text: @autoclosure () -> String
    ) -> [Finding] {
        holds ? [] : [Finding(requirement, text())]
    }
}
