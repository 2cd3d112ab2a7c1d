public import CoreTracker
public import EventDelivery
public import MultiTracker

/// What every `Destination` must keep, as one battery that any vendor's destination runs through.
///
/// ``check()`` throws with every broken promise named, so that it works in Swift Testing and XCTest alike. What only
/// the vendor's documentation knows is handed in: golden bodies, limits, the table of statuses, further answers.
public struct DestinationContract: Sendable {
    /// The promises, as findings name them.
    public enum Promise: String, Sendable, Hashable, CaseIterable {
        /// The members are pure: asked again, they answer the same.
        case pure
        /// Events become the bodies of the golden files, byte for byte.
        case goldenBodies = "golden bodies"
        /// A limit lets n through as it is, and refuses or repairs n + 1 by its rule.
        case limits
        /// The framing of a full batch fits into the bytes that the limits reserve for it.
        case framing
        /// No text breaks the body, forges an event, gets lost unsaid or is repeated by a rule's name.
        case hostileText = "hostile text"
        /// A destination that is not there, and a tracker that is disabled, send nothing.
        case disabled
        /// Without consent nothing is sent or kept.
        case consent
        /// Each status of the vendor's table has its meaning; a portal's page is no acknowledgement.
        case statuses
        /// Answers that speak of single events are read, and name events of the batch alone.
        case partialSuccess = "partial success"
        /// A retry is the same request, and an event keeps its id on the wire.
        case retry
        /// A secret is on the wire and nowhere else: no description, event, batch key, diagnostic or file has it.
        case secrets
    }

    /// A golden file.
    public struct GoldenBody: Sendable {
        let name: String
        let events: [OutgoingEvent]
        let text: String

        /// Names events that share a request, and the text of its body, with or without a line feed at its end.
        public init(_ name: String, of events: [OutgoingEvent], is text: String) {
            self.name = name
            self.events = events
            self.text = text
        }
    }

    /// A limit of the vendor's.
    public struct Limit: Sendable {
        let rule: String
        let maximum: Int
        let event: @Sendable (Int) -> OutgoingEvent

        /// Names the rule that counts a violation, the largest size that is let through, and an event of a size.
        public init(_ rule: String, at maximum: Int, event: @escaping @Sendable (Int) -> OutgoingEvent) {
            self.rule = rule
            self.maximum = maximum
            self.event = event
        }
    }

    /// An answer to a batch of three events, beside the table of statuses.
    public struct Answer: Sendable {
        let response: HTTPResponse
        let verdict: BatchVerdict

        /// Says what an answer means for a batch of three events.
        public init(_ response: HTTPResponse, means verdict: BatchVerdict) {
            self.response = response
            self.verdict = verdict
        }
    }

    let destination: any Destination
    let sample: OutgoingEvent
    let acknowledgement: HTTPResponse
    let sendsEventIDs: Bool
    let bodies: [GoldenBody]
    let limits: [Limit]
    let statuses: [Int: BatchVerdict]
    let answers: [Answer]
    let secrets: [String]
    let tracker: (@Sendable (DeliveryEngine) -> any Trackable)?

    /// Creates the battery of a destination.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - sample: An event that the destination takes as it is.
    ///   - acknowledgement: The answer by which the vendor takes a batch.
    ///   - sendsEventIDs: Whether the vendor's wire has a place for an event's id.
    ///   - bodies: The golden files, at least one.
    ///   - limits: The vendor's limits, none where it documents none.
    ///   - statuses: The vendor's table, for answers without a body.
    ///   - answers: What the table cannot say, such as partial success.
    ///   - secrets: The texts of the configuration that must not be seen.
    ///   - tracker: The vendor's tracker on an engine, where it has one.
    public init(
        _ destination: any Destination,
        sample: OutgoingEvent = .stub(),
        acknowledgement: HTTPResponse = HTTPResponse(status: 200),
        sendsEventIDs: Bool = true,
        bodies: [GoldenBody],
        limits: [Limit] = [],
        statuses: [Int: BatchVerdict],
        answers: [Answer] = [],
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
        self.answers = answers
        self.secrets = secrets
        self.tracker = tracker
    }

    /// Runs the whole battery; throws a ``Violation`` with all findings when there is one.
    public func check() async throws {
        let findings = try await findings()
        if !findings.isEmpty { throw Violation(lane: destination.lane, findings: findings) }
    }

    /// Runs the whole battery and answers what it finds.
    ///
    /// A destination that refuses the sample, or does not take the acknowledgement for one, ends the battery early.
    public func findings() async throws -> [Finding] {
        if let finding = unusable { return [finding] }
        var findings = purity() + goldenBodies() + limitsKept() + framing() + hostileText()
        findings += statusTable() + partialSuccess()
        findings += try await disabled()
        findings += try await consent()
        findings += try await retry()
        findings += try await secretsKept()
        return findings
    }

    /// Why no event of this destination can be delivered at all.
    private var unusable: Finding? {
        do throws(EventRefusal) {
            let batch = try destination.batch(of: [sample])
            let verdict = destination.verdict(on: acknowledgement, for: batch)
            guard verdict != .delivered else { return nil }
            return Finding(.statuses, "the acknowledgement, status \(acknowledgement.status), means \(verdict)")
        } catch {
            return Finding(.goldenBodies, "the sample is refused by the rule \(error.rule)")
        }
    }
}

extension DestinationContract {
    /// One broken promise.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The promise.
        public let promise: Promise
        /// What was found.
        public let text: String

        init(_ promise: Promise, _ text: String) {
            self.promise = promise
            self.text = text
        }

        public var description: String { "\(promise.rawValue): \(text)" }
    }

    /// All that is wrong with a destination.
    public struct Violation: Error, CustomStringConvertible {
        /// The destination's lane.
        public let lane: LaneID
        /// The broken promises, in the order of the battery.
        public let findings: [Finding]

        public var description: String {
            "\(lane): " + findings.map(\.description).joined(separator: "\n\(lane): ")
        }
    }

    /// A finding, unless a condition holds.
    static func finding(
        _ promise: Promise,
        unless holds: Bool,
        _ text: @autoclosure () -> String
    ) -> [Finding] {
        holds ? [] : [Finding(promise, text())]
    }
}
