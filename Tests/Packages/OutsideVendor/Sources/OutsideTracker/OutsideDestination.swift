public import CoreTracker
public import EventDelivery

/// A destination for Outside, with up to 50 events in the `batch` of a JSON object.
public struct OutsideDestination: Destination {
    public let lane: LaneID
    public let limits = BatchLimits(events: 50, bodyBytes: 100_000, framingBytes: 100)
    private let endpoint: Endpoint
    private let headers: [HTTPHeader]

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - endpoint: The address that accepts the events.
    ///   - key: The product's key.
    /// - Throws: ``ConfigurationError/invalidHeaderValue(name:)`` if the key cannot be the value of a header.
    public init(product: String, endpoint: Endpoint, key: Secret) throws(ConfigurationError) {
        lane = .outside(product: product)
        self.endpoint = endpoint
        headers = [HTTPHeader(fixed: "Content-Type", "application/json"), try HTTPHeader("X-Api-Key", key.value)]
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
        var body = Array(#"{"api":"v2","batch":["#.utf8)
        body += batch.events.map(\.fragment).joined(separator: ",".utf8)
        body += "]}".utf8
        return HTTPRequest(url: endpoint.url, headers: headers, body: body)
    }

    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        OutsideDestination.policy.result(for: response)
    }

    /// The standard policy, and 402 for an account without a contract, whose lane pauses.
    private static let policy: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.statuses[402] = .paused(.credentials)
        return policy
    }()
}
