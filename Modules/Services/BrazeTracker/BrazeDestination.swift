public import CoreTracker
public import EventDelivery
import VendorRules

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination for `/users/track` of Braze, with up to 75 events of any users in a request.
///
/// A user is identified by `external_id`. Before the login, a user alias with the installation's id identifies the
/// user. Braze has no idempotency key. Each event carries its id as the property `event_uid`, which helps to find
/// duplicates.
public struct BrazeDestination: Destination {
    /// The maximum size of an event's properties in bytes of JSON: 100 KB.
    public static let maximumBytes = 102_400
    private static let aliasLabel = "device_"
    /// The maximum size of an installation's id in bytes, so the alias and its label have at most 236.
    private static let maximumAliasBytes = 236 - aliasLabel.utf8.count

    /// No order, because each event carries its time.
    public let order = DeliveryOrder.none
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let limits: BatchLimits
    private let configuration: BrazeConfiguration

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - configuration: The address and the credentials.
    ///   - purpose: The consent purpose of the events.
    public init(
        product: String,
        configuration: BrazeConfiguration,
        purpose: ConsentPurpose = .marketing
    ) {
        lane = .braze(product: product)
        self.configuration = configuration
        self.purpose = purpose
        limits = BatchLimits(
            events: configuration.eventsPerRequest,
            bodyBytes: 4_000_000,
            framingBytes: 100,
            inFlight: 6
        )
    }

    /// Encodes an event as an element of the request's `events`.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - encoder: Receives the JSON, and the counts of adjusted and omitted values.
    /// - Throws: An error if the event's name or its user's id breaks a rule, if it has neither a user nor an
    ///   installation with an id of at most 229 bytes, if `metadata` of a recommended event is not an object, or if its
    ///   properties exceed ``maximumBytes``.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try EventRules.braze.check(name: event.name)
        try BrazeDestination.checkIdentity(of: event)
        let event = try RecommendedEvent.arranged(event)
        let properties = EventRules.braze.adjust(event.parameters, over: event.defaults, reservedSlots: 1) {
            encoder.recordAdjustment($0)
        }
        encoder.json.beginObject()
        BrazeDestination.writeIdentity(of: event, into: &encoder.json)
        if let appID = configuration.appID { encoder.json.member("app_id", .string(appID)) }
        encoder.json.member("name", .string(event.name))
        encoder.json.member("time", .string(event.time.rfc3339))
        encoder.json.key("properties")
        let start = encoder.byteCount
        let id: EventParameters = ["event_uid": .string(event.id.description)]
        encoder.json.object(RecommendedEvent.properties(properties, of: event.name, with: id))
        if encoder.byteCount - start > BrazeDestination.maximumBytes {
            throw EventEncodingError(rule: "properties_too_large", field: "properties")
        }
        encoder.json.endObject()
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        var body = Array(#"{"events":["#.utf8)
        body.append(contentsOf: batch.events.map(\.fragment).joined(separator: ",".utf8))
        body.append(contentsOf: "]}".utf8)
        return HTTPRequest(
            url: configuration.endpoint.url,
            headers: [HTTPHeader(fixed: "Content-Type", "application/json"), configuration.authorization],
            body: body
        )
    }

    /// Returns the number of events with a time in the future, which Braze replaces by the time of arrival.
    public func adjustments(in batch: OutgoingBatch) -> [String: Int] {
        FutureTimes.adjustments(in: batch, member: "time")
    }

    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        BrazeResponse.result(for: response, events: batch.events.count)
    }

    /// Checks that Braze can identify the event's user, or its installation if there is no user.
    static func checkIdentity(of event: OutgoingEvent) throws(EventEncodingError) {
        try EventRules.braze.userID.check(event.identity.userID)
        if event.identity.userID?.isEmpty != false { try checkAlias(event.identity.deviceID) }
    }

    /// Checks the id of an installation.
    static func checkAlias(_ deviceID: String) throws(EventEncodingError) {
        if deviceID.isEmpty { throw EventEncodingError(rule: "identity_missing") }
        if deviceID.utf8.count > maximumAliasBytes { throw EventEncodingError(rule: "alias_too_long") }
    }

    /// Writes the members that identify the event's user, or its installation if there is no user.
    static func writeIdentity(of event: OutgoingEvent, into json: inout JSONWriter) {
        if let userID = event.identity.userID, !userID.isEmpty { return json.member("external_id", .string(userID)) }
        json.member("user_alias", alias(of: event.identity.deviceID))
        // Braze creates a profile for an unknown alias only if this member is false.
        json.member("_update_existing_only", false)
    }

    /// Returns the user alias of an installation.
    ///
    /// A user has at most one alias with a label. If the label were the same for all installations, Braze would not
    /// merge the profile of a user's second one.
    ///
    /// Sources: https://www.braze.com/docs/api/objects_filters/user_alias_object and
    /// https://www.braze.com/docs/api/endpoints/user_data/post_user_identify
    static func alias(of deviceID: String) -> ParameterValue {
        ["alias_name": .string(deviceID), "alias_label": .string(aliasLabel + deviceID)]
    }
}
