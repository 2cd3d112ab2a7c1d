public import CoreTracker

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    ///
    /// An event whose key has more than 32,768 bytes is lost and counted as too large.
    func batchKey(of event: OutgoingEvent) -> String
    /// Whether events that were stored under a batch key are in the form that this destination sends.
    ///
    /// They are not where the lane had another kind of destination when they were stored. Nothing can send them any
    /// more: they go to quarantine for the reason `other_destination`, and the lane goes on.
    func canSend(batchKey key: String) -> Bool
    /// Builds the request for a batch.
    ///
    /// It is also called for a made-up batch that is not sent, when the lane pauses and after a restart: a change of
    /// its address, headers or body tells that the configuration has changed.
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

    /// Whatever was not stored for an SDK.
    public func canSend(batchKey key: String) -> Bool { key != SDKEvent.batchKey }

    /// Applies the response table for vendors that document none of their own.
    public func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        ResponsePolicy.standard.verdict(on: response)
    }
}

extension Destination {
    /// A request that is never sent: it shows the destination's address and credentials.
    var sampleRequest: HTTPRequest {
        let id = EventID(high: 0, low: 0)
        let event = OutgoingBatch.Event(id: id, fragment: Array("{}".utf8)[...])
        return request(for: OutgoingBatch(id: id, events: [event]))
    }

    /// A checksum of the address and credentials that the destination's requests carry.
    ///
    /// It has 16 bits, which are too few to confirm a guessed secret.
    var configurationChecksum: UInt16 {
        let request = sampleRequest
        var checksum = Checksum()
        checksum.add(request.url.absoluteString)
        for header in request.headers { checksum.add("\(header.name): \(header.value)\n") }
        checksum.add(request.body)
        return UInt16(truncatingIfNeeded: checksum.value)
    }
}

/// A destination that stands before another one and is that one, but for the members that it has itself.
///
/// Each requirement is handed on here, also those that have a default, which would be the wrapper's own: one that is
/// missing fails a test of this file.
package protocol DestinationWrapper: Destination {
    /// The destination that it stands before.
    var base: any Destination { get }
}

extension DestinationWrapper {
    package var lane: LaneID { base.lane }
    package var purpose: ConsentPurpose { base.purpose }
    package var order: DeliveryOrder { base.order }
    package var limits: BatchLimits { base.limits }
    package var transport: (any Transport)? { base.transport }
    package func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try base.encode(event, into: &encoder)
    }
    package func batchKey(of event: OutgoingEvent) -> String { base.batchKey(of: event) }
    package func canSend(batchKey key: String) -> Bool { base.canSend(batchKey: key) }
    package func request(for batch: OutgoingBatch) -> HTTPRequest { base.request(for: batch) }
    package func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        base.verdict(on: response, for: batch)
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

/// What a destination's answer means for the batch that was sent.
public enum BatchVerdict: Sendable, Hashable {
    /// Every event of the batch has arrived.
    case delivered
    /// The events at the named positions have not arrived; all others have.
    case partial([Int: EventVerdict])
    /// A fault that passes: the same batch is sent again, after at least the answer's own wait.
    case retry(after: Duration?)
    /// At least one event is at fault: the batch is bisected until the one is found, which goes to quarantine.
    case refused(String)
    /// The batch was refused for no stated reason: it is bisected once, and where both halves are refused alike the
    /// lane pauses; nothing is lost.
    case suspect(String)
    /// The body is too large: the batch is split, and the smaller limit is remembered.
    case tooLarge
    /// Nothing is wrong with the events, but sending on is useless: everything is kept, and the lane probes.
    case paused(PauseReason)

    /// What an answer means for one event of a batch.
    public enum EventVerdict: Sendable, Hashable {
        /// The event is sent again.
        case retry
        /// The event goes to quarantine, for the given reason.
        case refused(String)
        /// The event is lost at the receiver and must not be sent again; it is counted as dropped for the reason.
        case lost(String)
    }
}

/// Why a lane keeps everything and only probes.
public enum PauseReason: String, Sendable, Hashable, CaseIterable {
    /// The receiver refuses the credentials (401, 403, 407).
    case credentials
    /// There is no such endpoint (404, 405, 410, 421).
    case endpoint
    /// The receiver is a database that lacks the table, as ClickHouse says by the codes 60 and 81.
    case missingTable
    /// The receiver's table lacks a column, as ClickHouse says by the code 16.
    case missingColumn
    /// Somebody else answered: a redirect, a captive portal, a page where an acknowledgement should be.
    case intercepted
    /// The receiver's certificate is not trusted.
    case trust
    /// The receiver does not speak this protocol (415, 501, 505), or refuses every event alike.
    case protocolMismatch
}
