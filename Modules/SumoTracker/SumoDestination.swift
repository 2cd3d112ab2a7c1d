public import CoreTracker
public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An HTTP source of Sumo Logic: one compact JSON object a line, lines below 64 KB, requests up to 1 MB, gzip.
///
/// A line begins with the time in milliseconds, which is where Sumo Logic looks for it. There is no idempotency key: a
/// line carries its event's id as `event_uid`, by which queries find duplicates.
public struct SumoDestination: Destination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let limits: BatchLimits
    private let configuration: SumoConfiguration

    /// Creates the destination of a product, by the product's prefix such as `DL`.
    ///
    /// A source's own settings must fit: multi-line processing off, one message per request off.
    public init(
        product: String,
        configuration: SumoConfiguration,
        purpose: ConsentPurpose = .analytics,
        limits: BatchLimits = SumoDestination.limits
    ) {
        lane = .sumo(product: product)
        self.configuration = configuration
        self.purpose = purpose
        self.limits = limits
    }

    /// Sumo Logic's limits: a line of 65,536 bytes is cut in two and is no JSON any more; 1 MB is the most advised.
    public static let limits = BatchLimits(
        events: 1_000,
        bodyBytes: 1_000_000,
        framingBytes: 1_000,
        eventBytes: 65_535
    )

    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        guard !event.name.isEmpty else { throw EventRefusal(rule: "name_empty") }
        encoder.json.beginObject()
        encoder.json.key("timestamp")
        encoder.json.int(event.time.milliseconds)
        encoder.json.member("time", .string(event.time.rfc3339))
        encoder.json.member("event", .string(event.name))
        encoder.json.key("event_uid")
        encoder.json.id(event.id)
        encoder.json.member("session", .string(event.identity.sessionID))
        encoder.json.member("device", .string(event.identity.deviceID))
        if let userID = event.identity.userID { encoder.json.member("user", .string(userID)) }
        encoder.json.key("properties")
        encoder.json.object(event.mergedParameters)
        encoder.json.endObject()
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        HTTPRequest(
            url: configuration.endpoint.url,
            headers: [HTTPHeader(fixed: "Content-Type", "application/x-ndjson")]
                + (configuration.metadata?.headers ?? []),
            body: Array(batch.events.map(\.fragment).joined(separator: "\n".utf8)),
            allowsGzip: true
        )
    }

    /// Reads an answer; the source takes or refuses a request as a whole.
    public func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        let verdict = SumoDestination.policy.verdict(on: response)
        // 408: the request took more than 30 s, so that half of it is worth a try.
        return response.status == 408 && batch.events.count > 1 ? .tooLarge : verdict
    }

    /// The address is the credential: an unknown one (404) is a wrong one.
    private static let policy: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.acknowledged = Set(200...299)
        policy.statuses[404] = .paused(.credentials)
        return policy
    }()
}
