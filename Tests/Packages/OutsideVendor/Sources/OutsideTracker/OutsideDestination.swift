public import CoreTracker
public import EventDelivery

/// A destination for Outside, with a line of JSON for each event.
public struct OutsideDestination: Destination {
    public let lane: LaneID
    public let limits = BatchLimits(events: 50, bodyBytes: 100_000, framingBytes: 50)
    private let endpoint: Endpoint

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - endpoint: The address that accepts the events.
    public init(product: String, endpoint: Endpoint) {
        lane = .outside(product: product)
        self.endpoint = endpoint
    }

    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard !event.name.isEmpty else { throw EventEncodingError(rule: "name_empty") }
        encoder.json.beginObject()
        encoder.json.key("id")
        encoder.json.id(event.id)
        encoder.json.member("event", .string(event.name))
        encoder.json.key("properties")
        encoder.json.object(event.mergedParameters)
        encoder.json.endObject()
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        HTTPRequest(url: endpoint.url, body: Array(batch.events.map(\.fragment).joined(separator: "\n".utf8)))
    }
}
