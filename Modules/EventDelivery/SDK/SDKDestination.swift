import Foundation

/// A destination whose lane ends in an SDK of this process instead of a request.
///
/// An event takes the same way as any other: consent, rules, outbox, order, ledger and `explain` are the lane's. What
/// is handed over counts as delivered; the SDK stores and sends it by itself. An event is handed over at least once:
/// a process that ends between the call and its note in the outbox hands the event over again, under the same id.
///
/// Contract: ``handOver(_:)`` is called for one event after the other, in the order of tracking, and returns without
/// waiting for disk or network; it may be isolated to an actor. Checked by `SDKDestinationTests`.
public protocol SDKDestination: Destination {
    /// What the SDK takes: an event whose name breaks them is refused, everything else repaired and counted.
    var rules: EventRules { get }
    /// Hands an event to the SDK, or says why it cannot be.
    func handOver(_ event: SDKEvent) async throws(SDKRefusal)
}

extension SDKDestination {
    /// Small batches: what is handed over twice after a kill is at most one of them.
    public var limits: BatchLimits { BatchLimits(events: 20, bodyBytes: 1_000_000, framingBytes: 20) }

    /// Hands the events of a request to the SDK.
    public var transport: (any Transport)? {
        SDKTransport { event throws(SDKRefusal) in try await handOver(event) }
    }

    /// Writes what an ``SDKEvent`` has, with parameters that keep ``rules``.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try rules.check(name: event.name)
        let parameters = rules.repair(event.parameters, over: event.defaults) { encoder.repaired($0) }
        let event = SDKEvent(
            id: event.id,
            name: event.name,
            time: event.time,
            userID: event.identity.userID,
            parameters: parameters
        )
        event.write(into: &encoder.json)
    }

    /// Builds a request of a line for each event, which never leaves the process.
    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        HTTPRequest(
            url: URL(filePath: "/\(lane)"),
            body: Array(batch.events.map(\.fragment).joined(separator: "\n".utf8))
        )
    }

    /// Reads what became of each event.
    public func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        SDKAnswer.verdict(on: response, events: batch.events.count)
    }
}
