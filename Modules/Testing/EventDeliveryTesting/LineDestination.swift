public import CoreTracker
public import EventDelivery
public import Foundation

/// A destination for tests, which sends one JSON object per event and line.
///
/// ```swift
/// let findings = RuleCheck.findings(in: [event], against: [LineDestination()])
/// ```
///
/// An object has the members `event_id`, `name`, `seq`, `session`, `user`, `time` and `props`.
public struct LineDestination: Destination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let order: DeliveryOrder
    public let limits: BatchLimits
    public let updates: Set<ProfileUpdate>
    private let endpoint: URL
    private let isKeyedByUser: Bool

    /// Creates a destination.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - purpose: The purpose that needs consent.
    ///   - order: The order of delivery.
    ///   - limits: The limits of a batch.
    ///   - endpoint: The address of the receiver.
    ///   - updates: The supported profile updates.
    ///   - isKeyedByUser: Whether events share a request only with events of the same user.
    public init(
        lane: LaneID = LaneID(product: "T", service: "lines"),
        purpose: ConsentPurpose = .analytics,
        order: DeliveryOrder = .session,
        limits: BatchLimits = BatchLimits(events: 500, bodyBytes: 1_000_000, framingBytes: 500),
        endpoint: URL = URL(filePath: "/lines"),
        updates: Set<ProfileUpdate> = [],
        isKeyedByUser: Bool = false
    ) {
        self.lane = lane
        self.purpose = purpose
        self.order = order
        self.limits = limits
        self.endpoint = endpoint
        self.updates = updates
        self.isKeyedByUser = isKeyedByUser
    }

    public func batchKey(of event: OutgoingEvent) -> String { isKeyedByUser ? event.identity.userID ?? "" : "" }

    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        if event.name.isEmpty { throw EventEncodingError(rule: "name_empty") }
        encoder.json.beginObject()
        encoder.json.key("event_id")
        encoder.json.id(event.id)
        encoder.json.key("name")
        encoder.json.string(event.name)
        encoder.json.key("seq")
        encoder.json.int(event.sequence)
        encoder.json.key("session")
        encoder.json.string(event.identity.sessionID)
        encoder.json.key("user")
        encoder.json.string(event.identity.userID ?? "")
        encoder.json.key("time")
        encoder.json.int(event.time.milliseconds)
        encoder.json.key("props")
        encoder.json.object(event.mergedParameters)
        encoder.json.endObject()
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        var body: [UInt8] = []
        for event in batch.events {
            body += event.fragment
            body.append(UInt8(ascii: "\n"))
        }
        let id = try? HTTPHeader("Idempotency-Key", batch.id.description)
        return HTTPRequest(url: endpoint, headers: id.map { [$0] } ?? [], body: body)
    }
}
