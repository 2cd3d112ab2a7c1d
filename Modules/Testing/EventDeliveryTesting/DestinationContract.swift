public import CoreTrackerTesting
public import EventDelivery
public import LoopbackCollector
public import MultiTracker

/// The contract of `Destination`, for the destinations of all vendors.
///
/// The test supplies the facts from the vendor's documentation: golden bodies, limits, the meanings of statuses, and
/// further responses.
///
/// ```swift
/// @Test(arguments: DestinationContract.checks)
/// func `the line destination keeps the contract`(check: DestinationContract.Check) async throws {
///     let line =
///         #"{"event_id":"01950000-0000-7000-8000-000000000001","name":"play_start","seq":1,"session":"s-1","#
///         + #""user":"","time":1772359201250,"props":{}}"#
///     let subject = DestinationContract.Subject(
///         LineDestination(),
///         bodies: [.init("a line", of: [.stub()], is: line)],
///         statuses: [200: .delivered, 401: .paused(.credentials), 413: .tooLarge, 503: .retry(after: nil)]
///     )
///
///     try await check.run(subject)
/// }
/// ```
public enum DestinationContract {
    /// A check of one rule of the contract.
    ///
    /// It throws a `ContractViolation` with all violations of the rule. If the destination refuses the sample or does
    /// not recognize the acknowledgement, it throws only that.
    public typealias Check = ContractCheck<Subject>

    /// The checks of the contract.
    public static let checks: [Check] = [
        purity, goldenBodies, limits, framing, hostileText, receiver, statuses, partialSuccess, disabled, defaults,
        consent, retry, secrets,
    ]

    static let purity = check("repeated calls of a member return the same value") { $0.purity() }
    static let goldenBodies = check("events produce the bodies of the golden files, byte for byte") {
        $0.goldenBodies()
    }
    static let limits = check("a value at a limit is not changed, and one beyond it is refused or adjusted by name") {
        $0.limitsKept()
    }
    static let framing = check("the framing of a full batch fits into the bytes reserved for it") { $0.framing() }
    static let hostileText = check(
        "no text breaks the body, forges an event, is lost without a count, or becomes part of a rule's name"
    ) { $0.hostileText() }
    static let receiver = check("every request satisfies the published rules of the vendor's receiver") {
        $0.receiverRulesKept()
    }
    static let statuses = check("each status has its documented meaning, and a captive portal acknowledges nothing") {
        $0.statusTable()
    }
    static let partialSuccess = check("responses about single events refer only to events of the batch") {
        $0.partialSuccess()
    }
    static let disabled = check("a missing destination and a disabled tracker send nothing") {
        try await $0.disabled()
    }
    static let defaults = check("the vendor's tracker passes on the default parameters of an event") {
        try await $0.defaultsKept()
    }
    static let consent = check("without consent, nothing is sent or stored") { try await $0.consent() }
    static let retry = check("a retry is the same request, which contains the event's id") { try await $0.retry() }
    static let secrets = check("secrets occur only in requests, not in a description, diagnostic or file") {
        try await $0.secretsKept()
    }

    private static func check(
        _ rule: String,
        _ find: @escaping @Sendable (Subject) async throws -> [String]
    ) -> Check {
        Check(rule) { subject in
            let violations = if let reason = subject.unusable { [reason] } else { try await find(subject) }
            let lane = subject.destination.lane
            try expect(violations.isEmpty, violations.map { "\(lane): \($0)" }.joined(separator: "\n"))
        }
    }

    /// A golden file with the expected body of a request.
    public struct GoldenBody: Sendable {
        let name: String
        let events: [OutgoingEvent]
        let text: String

        /// Creates a golden body.
        ///
        /// - Parameters:
        ///   - name: The name of the file, for violations.
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

    /// A destination under test, with the facts from its vendor's documentation.
    public struct Subject: Sendable {
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

        /// Creates a subject.
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

        /// The reason the destination cannot deliver any event, if there is one.
        var unusable: String? {
            do throws(EventEncodingError) {
                let batch = try destination.batch(of: [sample])
                let result = destination.result(for: acknowledgement, of: batch)
                guard result != .delivered else { return nil }
                return "the acknowledgement, status \(acknowledgement.status), means \(result)"
            } catch {
                return "the sample is refused by the rule \(error.rule)"
            }
        }

        /// Returns a violation, unless a condition holds.
        static func violation(unless holds: Bool, _ text: @autoclosure () -> String) -> [String] {
            holds ? [] : [text()]
        }
    }
}
