public import CoreTracker

/// Where a lane delivers to: the wire format of one vendor, with its limits and the meaning of its answers.
///
/// Contract: all members are pure and quick; they do no I/O. `encode` is called once for each event, before it is
/// stored, and its bytes are sent as they are on every attempt. `request` is called for each attempt and answers the
/// same body for the same batch. Credentials live in the destination only: they are never part of an encoded event,
/// a batch key or a description. Checked by `DestinationContract` in `EventDeliveryTesting`.
public protocol Destination: Sendable {
    /// The lane that this destination serves.
    var lane: LaneID { get }
    /// The purpose that the user must have agreed to.
    var purpose: ConsentPurpose { get }
    /// Whether the receiver needs the events of a session in their order.
    var order: DeliveryOrder { get }
    /// What one request may hold.
    var limits: BatchLimits { get }
    /// What carries this destination's requests; `nil`, as by default, for the transport of the configuration.
    var transport: (any Transport)? { get }
    /// Writes an event as this vendor takes it, or refuses it by a rule; a repair is reported to the encoder.
    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal)
    /// Answers what events must have in common to share a request, such as the user; stored once for a group.
    func batchKey(of event: OutgoingEvent) -> String
    /// Builds the request for a batch.
    func request(for batch: OutgoingBatch) -> HTTPRequest
    /// Says what an answer means.
    func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict
}

extension Destination {
    /// The analytics purpose.
    public var purpose: ConsentPurpose { .analytics }

    /// The transport of the configuration.
    public var transport: (any Transport)? { nil }

    /// The order of sessions, one request at a time.
    public var order: DeliveryOrder { .session }

    /// Lets all events share requests.
    public func batchKey(of event: OutgoingEvent) -> String { "" }

    /// Applies the response table for vendors that document none of their own.
    public func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        ResponsePolicy.standard.verdict(on: response)
    }
}

/// What a destination needs of the order in which events leave.
public enum DeliveryOrder: Sendable, Hashable {
    /// Events leave in the order in which they were tracked, one request at a time: a batch ends where the batch key
    /// changes, and nothing overtakes a batch that is tried again.
    case session
    /// Each event carries its own time, so that none has to wait for another: events of one batch key share a request
    /// wherever they lie, and as many requests are under way as ``BatchLimits/inFlight`` allows.
    case none
}
