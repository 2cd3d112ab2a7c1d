public import CoreTracker
public import EventDelivery
import EventTracking
import VendorRules

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination for `collect` of Adobe's Edge Network.
///
/// A request contains XDM events of any users in at most 64 KB. An event's `_id` is its id and stays the same in every
/// retry. A parameter goes into `xdm` if it is an object or a list and has the name of a schema member. All others go
/// into `data`, which no schema restricts. Adobe accepts no time in the future. After a change of the device's clock,
/// such an event is sent with the time of the attempt, and counted.
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
    ///   - purpose: The consent purpose of the events.
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
        let userID = EventRules.adobe.userID.accepted(event.identity.userID) { encoder.recordAdjustment($0) }
        encoder.json.beginObject()
        encoder.json.key("xdm")
        encoder.json.beginObject()
        encoder.json.key("_id")
        encoder.json.id(event.id)
        encoder.json.member("eventType", .string(event.name))
        encoder.json.member("timestamp", .string(event.time.rfc3339))
        encoder.json.member("identityMap", identityMap(of: event.identity, userID))
        for member in members { encoder.json.member(member.key.name, member.value) }
        if let details = implementationDetails { encoder.json.member("implementationDetails", details) }
        encoder.json.endObject()
        if !data.isEmpty { encoder.json.member("data", .object(data)) }
        encoder.json.endObject()
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        var body = Array(#"{"events":["#.utf8)
        let times = FutureTimes(in: batch, member: "timestamp")
        let fragments = batch.events.map { times?.adjusted($0.fragment) ?? $0.fragment }
        body.append(contentsOf: fragments.joined(separator: ",".utf8))
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

    public func adjustments(in batch: OutgoingBatch) -> [String: Int] {
        FutureTimes.adjustments(in: batch, member: "timestamp")
    }

    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        AdobeResponse.result(for: response, events: batch.events.count)
    }

    /// Returns the identities of an event.
    ///
    /// The device is the primary one, because it does not change at login. A device derived from a user is none, so the
    /// user is then the only identity. Without a user, the derived id stands for the device of an anonymous visitor,
    /// because each event needs a primary identity.
    ///
    /// https://experienceleague.adobe.com/en/docs/experience-platform/identity/features/identity-graph-linking-rules/overview
    private func identityMap(of identity: Identity, _ userID: String?) -> ParameterValue {
        let user = configuration.schema.identity(of: userID, isPrimary: identity.isDeviceDerived)
        if identity.isDeviceDerived, let user { return .object([user.key: user.value]) }
        var map: EventParameters = [
            ParameterKey(AdobeSchema.deviceNamespace): [
                ["id": .string(AdobeDestination.deviceUUID(of: identity.deviceID)), "primary": true]
            ]
        ]
        if let user { map[user.key] = user.value }
        return .object(map)
    }

    private var implementationDetails: ParameterValue? {
        configuration.implementation.map {
            ["name": .string($0.name), "version": .string($0.version), "environment": "app"]
        }
    }

    /// Returns an installation's id as a UUID of version 4, because the Edge Network rejects any other FPID.
    ///
    /// The digits of an id stay the same except for the version and the variant. If an id is such a UUID already, it is
    /// unchanged, apart from its case and dashes. An id of another form is hashed. The result is therefore the same for
    /// every event of an installation.
    ///
    /// Source: https://experienceleague.adobe.com/en/docs/experience-platform/web-sdk/identity/first-party-device-ids
    private static func deviceUUID(of deviceID: String) -> String {
        let digits = deviceID.utf8.filter { $0 != UInt8(ascii: "-") }
        let bytes = hexadecimalBytes(digits) ?? Array(SHA256.digest(of: Array(deviceID.utf8)).prefix(16))
        let (high, low) = (bytes[..<8], bytes[8...])
        func word(_ half: ArraySlice<UInt8>) -> UInt64 { half.reduce(0) { $0 << 8 | UInt64($1) } }
        return EventID(
            high: word(high) & ~0xF000 | 0x4000,
            low: word(low) & ~(0b11 << 62) | 0b10 << 62
        ).description
    }

    /// Returns the 16 bytes of 32 hexadecimal digits, or `nil` for any other text.
    private static func hexadecimalBytes(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count == 32 else { return nil }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
        guard values.count == 32 else { return nil }
        return (0..<16).map { values[2 * $0] << 4 | values[2 * $0 + 1] }
    }
}
