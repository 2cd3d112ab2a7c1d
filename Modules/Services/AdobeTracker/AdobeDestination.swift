public import CoreTracker
public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination for `collect` of Adobe's Edge Network.
///
/// A request contains XDM events of any users in at most 64 KB. An event's `_id` is its id and stays the same in every
/// retry. A parameter goes into `xdm` if it is an object or a list and has the name of a schema member. All others go
/// into `data`, which no schema restricts.
public struct AdobeDestination: Destination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let limits: BatchLimits
    private let configuration: AdobeConfiguration

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - configuration: The address and the schema.
    ///   - purpose: The purpose that the user consents to.
    ///   - limits: The maximum size of a request.
    public init(
        product: String,
        configuration: AdobeConfiguration,
        purpose: ConsentPurpose = .analytics,
        limits: BatchLimits = AdobeDestination.limits
    ) {
        lane = .adobe(product: product)
        self.configuration = configuration
        self.purpose = purpose
        self.limits = limits
    }

    /// Adobe's limit of 64 KB, in its stricter reading.
    ///
    /// Adobe documents no maximum number of events.
    public static let limits = BatchLimits(events: 100, bodyBytes: 64_000, framingBytes: 200)

    /// Encodes an event as an element of the request's `events`.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - encoder: Receives the JSON, and the counts of adjusted and omitted values.
    /// - Throws: An error if the event's name breaks a rule, or if the device id is empty.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try EventRules.adobe.check(name: event.name)
        guard !event.identity.deviceID.isEmpty else { throw EventEncodingError(rule: "identity_missing") }
        let parameters = EventRules.adobe.adjust(event.parameters, over: event.defaults) {
            encoder.recordAdjustment($0)
        }
        let (members, data) = configuration.schema.split(parameters)
        encoder.json.beginObject()
        encoder.json.key("xdm")
        encoder.json.beginObject()
        encoder.json.key("_id")
        encoder.json.id(event.id)
        encoder.json.member("eventType", .string(event.name))
        encoder.json.member("timestamp", .string(event.time.rfc3339))
        encoder.json.member("identityMap", identityMap(of: event.identity))
        for member in members { encoder.json.member(member.key.name, member.value) }
        if let details = implementationDetails { encoder.json.member("implementationDetails", details) }
        encoder.json.endObject()
        if !data.isEmpty { encoder.json.member("data", .object(data)) }
        encoder.json.endObject()
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        var body = Array(#"{"events":["#.utf8)
        body.append(contentsOf: batch.events.map(\.fragment).joined(separator: ",".utf8))
        body.append(contentsOf: "]}".utf8)
        let query = [
            URLQueryItem(name: "datastreamId", value: configuration.datastreamID),
            URLQueryItem(name: "requestId", value: batch.id.description),
        ]
        return HTTPRequest(
            url: configuration.endpoint.url(adding: query),
            headers: [HTTPHeader(fixed: "Content-Type", "application/json")],
            body: body
        )
    }

    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        AdobeResponse.result(for: response, events: batch.events.count)
    }

    /// Returns the identities of an event.
    ///
    /// The installation is always the primary one, because it does not change at login.
    private func identityMap(of identity: Identity) -> ParameterValue {
        var map: EventParameters = [
            ParameterKey(AdobeSchema.deviceNamespace): [
                ["id": .string(AdobeDestination.uuid(of: identity.deviceID)), "primary": true]
            ]
        ]
        if let user = configuration.schema.identity(of: identity.userID) { map[user.key] = user.value }
        return .object(map)
    }

    private var implementationDetails: ParameterValue? {
        configuration.implementation.map {
            ["name": .string($0.name), "version": .string($0.version), "environment": "app"]
        }
    }

    /// Returns 32 hexadecimal digits in the form of a UUID, which FPID requires.
    ///
    /// Returns any other text unchanged.
    private static func uuid(of digits: String) -> String {
        guard digits.utf8.count == 32 else { return digits }
        let dashed = String(
            digits.utf8.enumerated().reduce(into: "") { text, digit in
                if [8, 12, 16, 20].contains(digit.offset) { text.append("-") }
                text.unicodeScalars.append(Unicode.Scalar(digit.element))
            }
        )
        return EventID(dashed)?.description ?? digits
    }
}
