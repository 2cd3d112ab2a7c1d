public import CoreTracker
public import EventDelivery
import MeasurementProtocol
import VendorRules

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination for the Measurement Protocol of a GA4 web stream.
///
/// A request contains up to 25 events of one client in less than 130 kB. Google responds with 2xx to every readable
/// request and accepts no idempotency key. If a response is lost, the events of its request may be counted twice; the
/// event's id is the parameter `event_id`. Traits of a user are sent as `user_properties`, in a request of their own.
///
/// ```swift
/// let stream = try GoogleAnalyticsConfiguration(measurementID: "G-ABC1234567", apiSecret: "se-cret")
/// let destination = GoogleAnalyticsDestination(product: "DL", configuration: stream)
/// ```
public struct GoogleAnalyticsDestination: Destination {
    /// No order, because each event carries its time.
    public let order = DeliveryOrder.none
    public let lane: LaneID
    public let purpose: ConsentPurpose
    /// The traits of a user.
    public let updates: Set<ProfileUpdate> = [.traits]
    public let limits = BatchLimits(events: 25, bodyBytes: 129_999, framingBytes: 5_400, inFlight: 6)
    private let configuration: GoogleAnalyticsConfiguration
    private let advertising: ConsentPurpose

    /// The maximum length of a user id in UTF-16 units.
    ///
    /// A longer id is left out and counted.
    private static let maximumUserIDLength = 256

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - configuration: The web stream.
    ///   - purpose: The purpose that the user consents to.
    ///   - advertising: The purpose of Google's `consent`. Each request contains the user's decision at the time of the
    ///     request. If there is none, the request has no `consent`, and Google uses its stored setting for the client.
    public init(
        product: String,
        configuration: GoogleAnalyticsConfiguration,
        purpose: ConsentPurpose = .analytics,
        advertising: ConsentPurpose = .marketing
    ) {
        lane = .googleAnalytics(product: product)
        self.configuration = configuration
        self.purpose = purpose
        self.advertising = advertising
    }

    /// Encodes an event as an element of the request's `events`, or traits as the members `user_properties` and
    /// `events`.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - encoder: Receives the JSON, and the counts of adjusted and omitted values.
    /// - Throws: An error if the event's name breaks a rule, if the rules leave no trait, or if the device id is empty
    ///   or longer than 256 UTF-16 units.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard event.update == .traits else { return try write(event, into: &encoder) }
        try UserProperties.write(event, into: &encoder) { event, encoder throws(EventEncodingError) in
            try write(event, into: &encoder)
        }
    }

    private func write(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try configuration.rules.check(name: event.name)
        guard GoogleAnalyticsDestination.isClientID(event.identity.deviceID) else {
            throw EventEncodingError(rule: "client_id_invalid", field: "client_id")
        }
        if event.identity.userID != nil, GoogleAnalyticsDestination.userID(of: event) == nil {
            encoder.recordAdjustment("user_id_invalid")
        }
        let parameters = configuration.rules.adjust(event.parameters, over: event.defaults, reservedSlots: 3) {
            encoder.recordAdjustment($0)
        }
        encoder.json.beginObject()
        encoder.json.member("name", .string(event.name))
        encoder.json.key("timestamp_micros")
        encoder.json.int(event.time.microseconds)
        encoder.json.key("params")
        var automatic: EventParameters = ["event_id": .string(event.id.description)]
        automatic = automatic.merging(GoogleAnalyticsDestination.sessionParameters(of: event, beside: parameters))
        encoder.json.object(automatic.merging(parameters))
        encoder.json.endObject()
    }

    /// Returns the JSON members that all events of a request share.
    ///
    /// The key of traits begins with a mark and the event's id, so each update is a request of its own.
    ///
    /// - Parameter event: An event of the request.
    public func batchKey(of event: OutgoingEvent) -> String {
        var json = JSONWriter()
        json.member("client_id", .string(event.identity.deviceID))
        if let userID = GoogleAnalyticsDestination.userID(of: event) { json.member("user_id", .string(userID)) }
        let members = String(decoding: json.bytes, as: UTF8.self)
        return UserProperties.batchKey(of: event, members)
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        let (members, isTraits) = UserProperties.read(batch.key)
        var body = Array("{\(members),\(consent(of: batch))\(configuration.device)".utf8)
        if !isTraits { body.append(contentsOf: "\"events\":[".utf8) }
        let times = RequestTimes(of: batch, isTraits: isTraits)
        let fragments = batch.events.map { times?.adjusted($0.fragment) ?? $0.fragment }
        body.append(contentsOf: fragments.joined(separator: ",".utf8))
        body.append(contentsOf: (isTraits ? "}" : "]}").utf8)
        return HTTPRequest(
            url: configuration.address,
            headers: [HTTPHeader(fixed: "Content-Type", "application/json")],
            body: body
        )
    }

    public func adjustments(in batch: OutgoingBatch) -> [String: Int] {
        RequestTimes.adjustments(in: batch, isTraits: UserProperties.read(batch.key).isTraits)
    }

    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        ResponsePolicy.measurementProtocol.result(for: response)
    }

    /// Returns the request's `consent`, which has only two values.
    ///
    /// Any decision other than granted is denied.
    private func consent(of batch: OutgoingBatch) -> String {
        guard let consent = batch.consents[advertising] else { return "" }
        let decision = consent == .granted ? "GRANTED" : "DENIED"
        return "\"consent\":{\"ad_user_data\":\"\(decision)\",\"ad_personalization\":\"\(decision)\"},"
    }

    /// Returns the session of an event.
    ///
    /// If one of its keys is missing, Google omits the event from realtime and engagement reports. An event without a
    /// session, which the app tracks in the background, has no number.
    private static func sessionParameters(
        of event: OutgoingEvent,
        beside parameters: EventParameters
    ) -> EventParameters {
        var session = EventParameters()
        if parameters["session_id"] == nil, !event.identity.sessionID.isEmpty {
            session["session_id"] = .int(Int(clamping: event.identity.sessionNumber))
        }
        if parameters["engagement_time_msec"] == nil { session["engagement_time_msec"] = 1 }
        return session
    }

    private static func userID(of event: OutgoingEvent) -> String? {
        event.identity.userID.flatMap { !$0.isEmpty && $0.utf16.count <= maximumUserIDLength ? $0 : nil }
    }

    private static func isClientID(_ text: String) -> Bool {
        !text.isEmpty && text.utf16.count <= maximumUserIDLength
    }
}
