public import CoreTracker
public import EventDelivery
import EventTracking
import MeasurementProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination for the GA4 Measurement Protocol of an app stream.
///
/// Google responds with 2xx to every request. All checks are therefore made here: names and values are checked before
/// an event is stored, by `EventRules.appStream`, and times are checked for each request. The wire format has no field
/// for an event id and no deduplication; the id is sent as the parameter `event_id`. All events of a request have the
/// same app instance and user, which are at the top level of the body. Traits of a user are sent as `user_properties`,
/// in a separate request.
///
/// ```swift
/// let firebase = try FirebaseConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: "none")
/// let ga4 = FirebaseDestination(product: "AC", configuration: firebase)
/// ```
public final class FirebaseDestination: Destination {
    /// The meaning of responses: every 2xx acknowledges, 413 splits the batch, and no other status refers to a single
    /// event.
    public static let responses = ResponsePolicy.measurementProtocol

    /// The maximum length of a user id in UTF-16 units.
    private static let userIDLength = 256

    /// No order, because each event carries its time.
    public let order = DeliveryOrder.none
    public let lane: LaneID
    public let purpose: ConsentPurpose
    /// The traits of a user.
    public let updates: Set<ProfileUpdate> = [.traits]
    /// At most 25 events in a body smaller than 130,000 bytes.
    public let limits = BatchLimits(events: 25, bodyBytes: 129_999, framingBytes: 3_200, inFlight: 6)
    private let configuration: FirebaseConfiguration
    private let writer: FirebaseEventWriter
    private let advertising: ConsentPurpose

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - configuration: The app stream.
    ///   - purpose: The consent purpose of the events.
    ///   - advertising: The purpose of Google's `consent`. Each request contains the user's decision at the time of the
    ///     request. If there is none, the request has no `consent`, and Google uses its stored setting for the app
    ///     instance.
    public init(
        product: String,
        configuration: FirebaseConfiguration,
        purpose: ConsentPurpose = .analytics,
        advertising: ConsentPurpose = .marketing
    ) {
        lane = .firebase(product: product)
        self.purpose = purpose
        self.advertising = advertising
        self.configuration = configuration
        writer = FirebaseEventWriter(rules: configuration.rules)
    }

    /// Encodes an event as an element of the request's `events`, or traits as the members `user_properties` and
    /// `events`.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - encoder: Receives the JSON, and the counts of adjusted and omitted values.
    /// - Throws: An error if the event's name breaks a rule, if the rules leave no trait, or if the event has no
    ///   device.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard FirebaseConfiguration.isAppInstanceID(appInstanceID(of: event)) else {
            throw EventEncodingError(rule: FirebaseRule.appInstanceIDInvalid.rawValue)
        }
        if let user = event.identity.userID, !isUserID(user) { encoder.recordAdjustment(.userIDTooLong) }
        guard event.update == .traits else { return try writer.write(event, into: &encoder) }
        try UserProperties.write(event, into: &encoder) { event, encoder throws(EventEncodingError) in
            try writer.write(event, into: &encoder)
        }
    }

    /// Returns the app instance id of 32 characters, followed by the user id, if any.
    ///
    /// The key of traits begins with a mark and the event's id, so each update is a request of its own.
    ///
    /// - Parameter event: An event of the request.
    public func batchKey(of event: OutgoingEvent) -> String {
        var key = appInstanceID(of: event)
        if let user = event.identity.userID, isUserID(user) { key += user }
        return UserProperties.batchKey(of: event, key)
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        let (key, isTraits) = UserProperties.read(batch.key)
        let end = key.utf8.index(key.startIndex, offsetBy: 32, limitedBy: key.endIndex)
        let user = key[(end ?? key.endIndex)...]
        var json = JSONWriter()
        json.beginObject()
        json.key(fixed: "app_instance_id")
        json.string(String(key[..<(end ?? key.endIndex)]))
        if !user.isEmpty {
            json.key(fixed: "user_id")
            json.string(String(user))
        }
        if let consent = batch.consents[advertising] { json.advertisingConsent(consent) }
        if !configuration.device.isEmpty { json.raw(configuration.device.utf8.dropLast()) }
        let times = RequestTimes(of: batch, isTraits: isTraits)
        let fragments = batch.events.lazy.map { times?.adjusted($0.fragment) ?? $0.fragment }
        if isTraits {
            for fragment in fragments { json.raw(fragment) }
        } else {
            json.key(fixed: "events")
            json.beginArray()
            for fragment in fragments { json.raw(fragment) }
            json.endArray()
        }
        json.endObject()
        let url = configuration.endpoint.url(adding: [
            URLQueryItem(name: "firebase_app_id", value: configuration.firebaseAppID),
            URLQueryItem(name: "api_secret", value: configuration.apiSecret.value),
        ])
        let headers = [HTTPHeader(fixed: "Content-Type", "application/json")]
        return HTTPRequest(url: url, headers: headers, body: json.bytes)
    }

    public func adjustments(in batch: OutgoingBatch) -> [String: Int] {
        RequestTimes.adjustments(in: batch, isTraits: UserProperties.read(batch.key).isTraits)
    }

    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        FirebaseDestination.responses.result(for: response)
    }

    /// Returns the app instance id, which Google requires as 32 hexadecimal digits.
    ///
    /// Without one in the configuration, it is the device's id if that has this form, a UUID's digits, or a hash of
    /// another id. It is therefore the same for all events of a device.
    private func appInstanceID(of event: OutgoingEvent) -> String {
        if let fixed = configuration.appInstanceID { return fixed }
        let id = event.identity.deviceID
        guard !FirebaseConfiguration.isAppInstanceID(id), !id.isEmpty else { return id }
        let digits = id.replacing("-", with: "").lowercased()
        if FirebaseConfiguration.isAppInstanceID(digits) { return digits }
        return SHA256.digest(of: Array(id.utf8)).prefix(16).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }
            .joined()
    }

    private func isUserID(_ text: String) -> Bool {
        text.utf8.count <= FirebaseDestination.userIDLength
            || text.utf16.count <= FirebaseDestination.userIDLength
    }
}

extension JSONWriter {
    /// Writes Google's `consent`, which has only two values.
    ///
    /// Any decision other than granted is denied.
    fileprivate mutating func advertisingConsent(_ consent: Consent) {
        let decision = consent == .granted ? "GRANTED" : "DENIED"
        key(fixed: "consent")
        beginObject()
        for field in ["ad_user_data", "ad_personalization"] { member(field, .string(decision)) }
        endObject()
    }
}

extension FirebaseDestination: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "FirebaseDestination(\(lane) at \(configuration.endpoint))" }
    public var debugDescription: String { description }
}

extension FirebaseDestination: CustomReflectable {
    /// A mirror without children, because the configuration contains the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
