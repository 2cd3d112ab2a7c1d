public import CoreTracker
public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The Measurement Protocol of a GA4 web stream: 25 events of one client to a request, in less than 130 kB.
///
/// Google answers 2xx to everything that it can read and takes no idempotency key: an event whose answer is lost on the
/// way may count twice.
public struct WebStreamDestination: Destination {
    /// None: each event carries its own time.
    public let order = DeliveryOrder.none
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let limits = BatchLimits(events: 25, bodyBytes: 129_999, framingBytes: 4_096, inFlight: 6)
    private let configuration: WebStreamConfiguration
    private let advertising: ConsentPurpose

    /// The longest user id that Google takes, in UTF-16 units; a longer one is left out and counted.
    private static let maximumUserIDLength = 256

    /// Creates the destination of a product, by the product's prefix such as `DL`.
    ///
    /// What the user says about `advertising` stands in each request as Google's `consent`, at the moment of the
    /// request; while nothing is said, Google takes what it knows of the client.
    public init(
        product: String,
        configuration: WebStreamConfiguration,
        purpose: ConsentPurpose = .analytics,
        advertising: ConsentPurpose = .marketing
    ) {
        lane = .googleAnalytics(product: product)
        self.configuration = configuration
        self.purpose = purpose
        self.advertising = advertising
    }

    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try EventRules.webStream.check(name: event.name)
        guard WebStreamDestination.isClientID(event.identity.deviceID) else {
            throw EventRefusal(rule: "client_id_invalid", field: "client_id")
        }
        if event.identity.userID != nil, WebStreamDestination.userID(of: event) == nil {
            encoder.repaired("user_id_invalid")
        }
        let parameters = EventRules.webStream.repair(event.parameters, over: event.defaults, reservedPlaces: 2) {
            encoder.repaired($0)
        }
        encoder.json.beginObject()
        encoder.json.member("name", .string(event.name))
        encoder.json.key("timestamp_micros")
        encoder.json.int(event.time.microseconds)
        encoder.json.key("params")
        encoder.json.object(WebStreamDestination.sessionParameters(of: event, beside: parameters).merging(parameters))
        encoder.json.endObject()
    }

    /// The members of the request's object that all of its events share, as JSON.
    public func batchKey(of event: OutgoingEvent) -> String {
        var json = JSONWriter()
        json.member("client_id", .string(event.identity.deviceID))
        if let userID = WebStreamDestination.userID(of: event) { json.member("user_id", .string(userID)) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        var body = Array("{\(batch.key),\(consent(of: batch))\"events\":[".utf8)
        body.append(contentsOf: batch.events.map(\.fragment).joined(separator: ",".utf8))
        body.append(contentsOf: "]}".utf8)
        return HTTPRequest(
            url: URL(string: configuration.address.value) ?? configuration.endpoint.url,
            headers: [HTTPHeader(fixed: "Content-Type", "application/json")],
            body: body
        )
    }

    public func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        WebStreamDestination.policy.verdict(on: response)
    }

    /// Google's `consent`, which knows yes and no: what the user has not answered is no.
    private func consent(of batch: OutgoingBatch) -> String {
        guard let consent = batch.consents[advertising] else { return "" }
        let word = consent == .granted ? "GRANTED" : "DENIED"
        return "\"consent\":{\"ad_user_data\":\"\(word)\",\"ad_personalization\":\"\(word)\"},"
    }

    /// Any 2xx acknowledges; Google asks not to repeat a request that it has refused.
    private static let policy: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.acknowledged = Set(200...299)
        return policy
    }()

    /// What puts an event into its session: without both, Google's realtime and engagement reports leave it out.
    private static func sessionParameters(
        of event: OutgoingEvent,
        beside parameters: EventParameters
    ) -> EventParameters {
        var session = EventParameters()
        if parameters["session_id"] == nil {
            session["session_id"] = .int(Int(clamping: max(1, event.identity.sessionStart.seconds)))
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
