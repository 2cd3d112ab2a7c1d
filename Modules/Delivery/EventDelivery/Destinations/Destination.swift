public import CoreTracker
import EventOutbox
public import EventTracking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A receiver of a lane's events: one vendor's wire format, its limits and the meaning of its responses.
///
/// All members are pure and fast, and do no I/O. The engine calls `encode` once for each event, before it stores the
/// event, and stores the bytes. It calls `request` for each attempt, and `request` must return the same body for the
/// same batch. Only a vendor's rule about the age of events may change the body with ``OutgoingBatch/time``. Only the
/// destination holds the credentials: they must not appear in an encoded event, a batch key or a description.
/// `DestinationContract` in `EventDeliveryTesting` checks all this.
///
/// ```swift
/// struct OutsideDestination: Destination {
///     let lane = LaneID.outside
///     let limits = BatchLimits(events: 50, bodyBytes: 100_000, framingBytes: 50)
///
///     func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
///         guard !event.name.isEmpty else { throw EventEncodingError(rule: "name_empty") }
///         encoder.json.beginObject()
///         encoder.json.key("id")
///         encoder.json.id(event.id)
///         encoder.json.member("event", .string(event.name))
///         encoder.json.key("properties")
///         encoder.json.object(event.mergedParameters)
///         encoder.json.endObject()
///     }
///
///     func request(for batch: OutgoingBatch) -> HTTPRequest {
///         let body = batch.events.flatMap { Array($0.fragment) + [UInt8(ascii: "\n")] }
///         return HTTPRequest(url: URL(string: "https://outside.example/events") ?? URL(filePath: "/"), body: body)
///     }
/// }
/// ```
public protocol Destination: Sendable {
    /// The lane whose events this destination sends.
    var lane: LaneID { get }
    /// The purpose of the events, which are sent only if the user has agreed to it.
    var purpose: ConsentPurpose { get }
    /// The order of events required by the receiver.
    var order: DeliveryOrder { get }
    /// The maximum sizes of a request and of an event.
    var limits: BatchLimits { get }
    /// The profile updates supported by the service.
    ///
    /// Other updates are not accepted on the lane and not counted. By default, there are none. ``encode(_:into:)`` gets
    /// an update as an event with ``OutgoingEvent/update``.
    var updates: Set<ProfileUpdate> { get }
    /// The transport for this destination's requests, or `nil` (the default) for the configuration's transport.
    var transport: (any Transport)? { get }
    /// Encodes an event in the vendor's format.
    ///
    /// Adjustments, such as a shortened string, are reported to the encoder.
    ///
    /// - Parameters:
    ///   - event: The event as it was tracked, with the policies for sensitive values applied.
    ///   - encoder: Receives the bytes, which ``request(for:)`` later finds in ``OutgoingBatch/Event/fragment``.
    /// - Throws: `EventEncodingError` if the event breaks a rule of the vendor. The event is then dropped and counted.
    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError)
    /// Returns the key that all events of a request have in common, such as the user. It is stored once for a group.
    ///
    /// An event whose key has more than 32,768 bytes is dropped and counted as too large.
    ///
    /// - Parameter event: The event, as passed to ``encode(_:into:)``.
    /// - Returns: The key. Events with different keys never share a request.
    func batchKey(of event: OutgoingEvent) -> String
    /// Whether this destination can send events stored under a batch key.
    ///
    /// It cannot if the lane had another kind of destination when the events were stored. Such events go to quarantine
    /// for the reason `other_destination`, and the lane continues.
    ///
    /// - Parameter key: A key from ``batchKey(of:)`` of this or of an earlier destination.
    /// - Returns: Whether the destination can send the events.
    func canSend(batchKey key: String) -> Bool
    /// Builds the request for a batch.
    ///
    /// When a lane pauses and after a restart, the engine also calls this function with a placeholder batch, which is
    /// never sent. It compares the address, headers and body to detect a changed configuration.
    ///
    /// - Parameter batch: The events, their key and the number of the attempt.
    /// - Returns: The request, with the same body on every attempt.
    func request(for batch: OutgoingBatch) -> HTTPRequest
    /// Returns the adjustments made in ``request(for:)`` because of ``OutgoingBatch/time``, by rule.
    ///
    /// The engine counts them when the receiver acknowledges the whole batch. By default, there are none.
    ///
    /// - Parameter batch: The sent batch.
    /// - Returns: The number of adjusted events by the rule's stable name in snake case.
    func adjustments(in batch: OutgoingBatch) -> [String: Int]
    /// Interprets the receiver's response to a batch.
    ///
    /// - Parameters:
    ///   - response: The response of the receiver, or of a server in between.
    ///   - batch: The sent batch.
    /// - Returns: The result for the batch, or for each of its events.
    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult
}

extension Destination {
    /// The analytics purpose.
    public var purpose: ConsentPurpose { .analytics }

    /// No profile updates.
    public var updates: Set<ProfileUpdate> { [] }

    /// The transport of the configuration.
    public var transport: (any Transport)? { nil }

    /// The order of each session, with one request at a time.
    public var order: DeliveryOrder { .session }

    /// Returns an empty key, so all events can share requests.
    public func batchKey(of event: OutgoingEvent) -> String { "" }

    /// Accepts every batch key except the key of events stored for a vendor's SDK.
    public func canSend(batchKey key: String) -> Bool { key != OutgoingBatch.sdkKey }

    /// No adjustments.
    public func adjustments(in batch: OutgoingBatch) -> [String: Int] { [:] }

    /// Applies ``ResponsePolicy/standard``, for vendors that document no response table.
    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        ResponsePolicy.standard.result(for: response)
    }
}

extension Destination {
    /// A placeholder request, which is never sent.
    ///
    /// It contains the destination's address and credentials.
    var sampleRequest: HTTPRequest {
        let id = EventID(high: 0, low: 0)
        let event = OutgoingBatch.Event(id: id, fragment: Array("{}".utf8)[...])
        return request(for: OutgoingBatch(id: id, events: [event]))
    }

    /// A checksum of the address and credentials in the destination's requests.
    ///
    /// It has only 16 bits, which are too few to confirm a guessed secret.
    var configurationChecksum: UInt16 {
        let request = sampleRequest
        var checksum = Checksum()
        checksum.add(request.url.absoluteString)
        for header in request.headers { checksum.add("\(header.name): \(header.value)\n") }
        checksum.add(request.body)
        if !request.allowsGzip { checksum.add("identity") }
        return UInt16(truncatingIfNeeded: checksum.value)
    }
}

/// A destination that forwards every requirement to ``base`` unless the wrapper overrides it.
///
/// The extension below also forwards requirements with a default; otherwise the wrapper would use the default instead
/// of the base's own. A test fails if a requirement is missing.
package protocol DestinationWrapper: Destination {
    /// The destination that receives the forwarded calls.
    var base: any Destination { get }
}

extension DestinationWrapper {
    package var lane: LaneID { base.lane }
    package var purpose: ConsentPurpose { base.purpose }
    package var order: DeliveryOrder { base.order }
    package var limits: BatchLimits { base.limits }
    package var updates: Set<ProfileUpdate> { base.updates }
    package var transport: (any Transport)? { base.transport }
    package func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try base.encode(event, into: &encoder)
    }
    package func batchKey(of event: OutgoingEvent) -> String { base.batchKey(of: event) }
    package func canSend(batchKey key: String) -> Bool { base.canSend(batchKey: key) }
    package func request(for batch: OutgoingBatch) -> HTTPRequest { base.request(for: batch) }
    package func adjustments(in batch: OutgoingBatch) -> [String: Int] { base.adjustments(in: batch) }
    package func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        base.result(for: response, of: batch)
    }
}

/// The order of events required by a destination.
public enum DeliveryOrder: Sendable, Hashable {
    /// Events are sent in the order of tracking, one request at a time. A batch ends where the batch key changes, and
    /// no batch overtakes a retried one.
    case session
    /// Each event carries its own time, and none waits for another. Events with the same batch key share a request even
    /// if others lie between them. Up to ``BatchLimits/inFlight`` requests are in flight at once.
    case none
}

/// The result of sending a batch, as the destination reads it from the response.
public enum BatchResult: Sendable, Equatable {
    /// Every event of the batch was delivered.
    case delivered
    /// The events at the given positions of the batch were not delivered; all others were.
    case partial([Int: EventResult])
    /// A temporary fault. The same batch is sent again, no earlier than the given wait, if the response names one.
    case retry(after: Duration?)
    /// At least one event is invalid. The batch is bisected until that event is found, which then goes to quarantine.
    case refused(String)
    /// The batch was refused without a stated reason, so an event or the receiver may be at fault. It is sent again
    /// with the back-off. After five such refusals it is bisected. If an event is refused alone, it goes to quarantine
    /// when the receiver takes another event. If eight events are refused alone in a row, the lane pauses, and none of
    /// them is quarantined.
    case suspect(String)
    /// The body is too large. The batch is split, and the lane remembers the smaller limit.
    case tooLarge
    /// The events are valid, but further requests would fail too. All events stay queued, and the lane only probes.
    ///
    /// A gateway that starts before its routes responds like a wrong address, with 404, 405, 410 or 421. If the receiver
    /// has acknowledged a batch before, the lane sends the batch twice more with the back-off before it pauses.
    case paused(PauseReason)

    /// The result for one event of a batch.
    public enum EventResult: Sendable, Equatable {
        /// The event is sent again.
        case retry
        /// The event goes to quarantine for the given reason.
        case refused(String)
        /// The receiver dropped the event, and it must not be sent again. It is counted as dropped for the given
        /// reason.
        case dropped(String)
    }
}

/// An error that reports the rule by which a destination rejects an event.
public struct EventEncodingError: Error, Equatable {
    /// The rule's stable name in snake case, such as `name_too_long`.
    ///
    /// The ledger counts rejected events by this name.
    public let rule: String
    /// The part of the event that broke the rule, such as a parameter's name, but never a value.
    public let field: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - rule: The rule's stable name in snake case.
    ///   - field: The part of the event that broke the rule, but never a value.
    public init(rule: String, field: String? = nil) {
        self.rule = rule
        self.field = field
    }
}
