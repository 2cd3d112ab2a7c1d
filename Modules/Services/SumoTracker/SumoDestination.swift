public import CoreTracker
public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination for an HTTP source of Sumo Logic.
///
/// Each line is a compact JSON object of less than 64 KB, or less than 256 KB with ``largeLineLimits``. A request has
/// up to 1 MB before compression with gzip. A line begins with the time in milliseconds, because Sumo Logic reads it
/// there. Sumo Logic has no idempotency key. Each line has its event's id as `event_uid`, so a query can find
/// duplicates.
public struct SumoDestination: Destination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let limits: BatchLimits
    private let configuration: SumoConfiguration

    /// Creates the destination of a product.
    ///
    /// In the source's settings, multi-line processing and one message per request must be off.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - configuration: The HTTP source.
    ///   - purpose: The consent purpose of the events.
    ///   - limits: The maximum size of a request.
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

    /// Sumo Logic's limits for lines of less than 64 KB, in which all search features work.
    ///
    /// A request should have at most 1 MB before compression.
    public static let limits: BatchLimits = requestLimits(lineBytes: 65_535)

    /// Sumo Logic's limits for lines of less than 256 KB, which it accepts since July 2026.
    ///
    /// Search features such as field extraction read only the first 64 KB of a line. Before that date, and in a
    /// deployment without the change, Sumo Logic splits a line of 64 KB into two, which are not valid JSON.
    ///
    /// Source: https://github.com/SumoLogic/sumologic-documentation/pull/6881 of 2026-07-09.
    public static let largeLineLimits: BatchLimits = requestLimits(lineBytes: 262_143)

    private static func requestLimits(lineBytes: Int) -> BatchLimits {
        BatchLimits(events: 1_000, bodyBytes: 1_000_000, framingBytes: 1_000, eventBytes: lineBytes)
    }

    /// Encodes an event as a line.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - encoder: Receives the JSON.
    /// - Throws: An error if the event has no name.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard !event.name.isEmpty else { throw EventEncodingError(rule: "name_empty") }
        encoder.json.beginObject()
        encoder.json.key("timestamp")
        encoder.json.int(event.time.milliseconds)
        encoder.json.member("time", .string(event.time.rfc3339))
        encoder.json.member("event", .string(event.name))
        encoder.json.key("event_uid")
        encoder.json.id(event.id)
        if !event.identity.sessionID.isEmpty { encoder.json.member("session", .string(event.identity.sessionID)) }
        encoder.json.member("device", .string(event.identity.deviceID))
        if let userID = event.identity.userID { encoder.json.member("user", .string(userID)) }
        encoder.json.key("properties")
        encoder.json.object(event.mergedParameters)
        encoder.json.endObject()
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        HTTPRequest(
            url: configuration.endpoint.url,
            headers: [HTTPHeader(fixed: "Content-Type", "application/x-ndjson")] + configuration.headers,
            body: Array(batch.events.map(\.fragment).joined(separator: "\n".utf8)),
            allowsGzip: configuration.requests.compressesBodies
        )
    }

    /// Returns the result of a batch.
    ///
    /// The source accepts or rejects a request as a whole.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - batch: The batch of the request.
    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        let result = SumoDestination.policy.result(for: response)
        // 408: the request took more than 30 s. Half of it may succeed.
        return response.status == 408 && batch.events.count > 1 ? .tooLarge : result
    }

    /// The standard policy, in which every 2xx acknowledges.
    ///
    /// 404 means wrong credentials, because the address is the secret.
    private static let policy: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.acknowledged = Set(200...299)
        policy.statuses[404] = .paused(.credentials)
        return policy
    }()
}
