public import CoreTracker
public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Delivers a product's Firebase lane by the GA4 Measurement Protocol for app streams.
///
/// Google answers 2xx to whatever arrives, so that all checks are made before an event is stored, by
/// `EventRules.appStream`. The wire has no field for an event's id and no deduplication; the id travels
/// as the parameter `event_id`. All events of a request share the app instance and the user, which stand at the body's
/// top level.
public struct MeasurementProtocolDestination: Destination {
    /// What answers mean: any 2xx acknowledges, 413 splits, and no other status speaks of a single event's content.
    ///
    /// The address and the headers are the same for every batch, so that 414 and 431 pause the lane and split nothing.
    /// 400 and 422 come from a gateway in between: it may dislike one event, or all of them alike, which pauses too.
    public static let responses: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.acknowledged = Set(200...299)
        policy.statuses[400] = .suspect
        policy.statuses[422] = .suspect
        policy.statuses[414] = .paused(.endpoint)
        policy.statuses[431] = .paused(.protocolMismatch)
        return policy
    }()

    /// The most UTF-16 units of a user's id.
    private static let userIDLength = 256

    /// None: each event carries its own time.
    public let order = DeliveryOrder.none
    public let lane: LaneID
    public let purpose: ConsentPurpose
    /// At most 25 events, and a body smaller than 130 000 bytes.
    public let limits = BatchLimits(events: 25, bodyBytes: 129_999, framingBytes: 1_900, inFlight: 6)
    private let configuration: MeasurementProtocolConfiguration
    private let writer: FirebaseEventWriter
    private let now: @Sendable () -> Timestamp
    private let advertising: ConsentPurpose

    /// Creates the destination of a product; `now` judges how old an event is.
    ///
    /// What the user says about `advertising` stands in each request as Google's `consent`, at the moment of the
    /// request; while nothing is said, Google takes what it knows of the app instance.
    public init(
        product: String,
        configuration: MeasurementProtocolConfiguration,
        purpose: ConsentPurpose = .analytics,
        advertising: ConsentPurpose = .marketing,
        now: (@Sendable () -> Timestamp)? = nil
    ) {
        lane = .firebase(product: product)
        self.purpose = purpose
        self.advertising = advertising
        self.configuration = configuration
        writer = FirebaseEventWriter(rules: configuration.rules)
        let clock = SystemClock()
        self.now = now ?? { clock.wallTime() }
    }

    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        guard MeasurementProtocolConfiguration.isAppInstanceID(appInstanceID(of: event)) else {
            throw EventRefusal(rule: FirebaseRule.appInstanceIDInvalid.rawValue)
        }
        if let user = event.identity.userID, !isUserID(user) { encoder.repaired(.userIDTooLong) }
        try writer.write(event, now: now(), into: &encoder)
    }

    /// The app instance id, 32 characters, and after it the user's id, if there is one.
    public func batchKey(of event: OutgoingEvent) -> String {
        let instance = appInstanceID(of: event)
        guard let user = event.identity.userID, isUserID(user) else { return instance }
        return instance + user
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        let end = batch.key.utf8.index(batch.key.startIndex, offsetBy: 32, limitedBy: batch.key.endIndex)
        let user = batch.key[(end ?? batch.key.endIndex)...]
        var json = JSONWriter()
        json.beginObject()
        json.key(fixed: "app_instance_id")
        json.string(String(batch.key[..<(end ?? batch.key.endIndex)]))
        if !user.isEmpty {
            json.key(fixed: "user_id")
            json.string(String(user))
        }
        if let consent = batch.consents[advertising] { json.advertisingConsent(consent) }
        json.key(fixed: "events")
        json.beginArray()
        for event in batch.events { json.raw(event.fragment) }
        json.endArray()
        json.endObject()
        let url = configuration.endpoint.url(adding: [
            URLQueryItem(name: "firebase_app_id", value: configuration.firebaseAppID),
            URLQueryItem(name: "api_secret", value: configuration.apiSecret.value),
        ])
        let headers = [HTTPHeader(fixed: "Content-Type", "application/json")]
        return HTTPRequest(url: url, headers: headers, body: json.bytes)
    }

    public func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        MeasurementProtocolDestination.responses.verdict(on: response)
    }

    private func appInstanceID(of event: OutgoingEvent) -> String {
        configuration.appInstanceID ?? event.identity.deviceID
    }

    private func isUserID(_ text: String) -> Bool {
        text.utf8.count <= MeasurementProtocolDestination.userIDLength
            || text.utf16.count <= MeasurementProtocolDestination.userIDLength
    }
}

extension JSONWriter {
    /// Writes Google's `consent`, which knows yes and no: what the user has not answered is no.
    fileprivate mutating func advertisingConsent(_ consent: Consent) {
        let word = consent == .granted ? "GRANTED" : "DENIED"
        key(fixed: "consent")
        beginObject()
        for field in ["ad_user_data", "ad_personalization"] { member(field, .string(word)) }
        endObject()
    }
}

extension MeasurementProtocolDestination: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "MeasurementProtocolDestination(\(lane) at \(configuration.endpoint))" }
    public var debugDescription: String { description }
}

extension MeasurementProtocolDestination: CustomReflectable {
    /// Has no children: what the parts hold is for the wire alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
