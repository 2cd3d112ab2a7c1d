public import CoreTracker
public import EventDelivery

/// Delivers a product's AwesomeTracking lane as log records of OTLP/HTTP in JSON, as any OpenTelemetry Collector takes.
///
/// A record is an event: its `eventName`, its times, and its attributes, first those of the envelope, then the event's
/// parameters. The resource is the product. OTLP has no idempotency: a record carries the event's id as
/// `log.record.uid`, by which a store counts it once.
public struct OTLPDestination: Destination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    /// At most 1 000 records and 1 MB before compression; receivers take 20 MiB unless they are told otherwise.
    public let limits = BatchLimits(events: 1_000, bodyBytes: 1_000_000, framingBytes: 4_000)
    private let configuration: OTLPConfiguration
    private let responses: ResponsePolicy

    /// Creates the destination of a product.
    public init(
        product: String,
        configuration: OTLPConfiguration,
        purpose: ConsentPurpose = .analytics,
        responses: ResponsePolicy = .otlp
    ) {
        lane = .awesomeTracking(product: product)
        self.purpose = purpose
        self.configuration = configuration
        self.responses = responses
    }

    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        guard !event.name.isEmpty else { throw EventRefusal(rule: "name_empty") }
        encoder.json.beginObject()
        encoder.json.key(fixed: "timeUnixNano")
        encoder.json.nanoseconds(event.time)
        encoder.json.key(fixed: "observedTimeUnixNano")
        encoder.json.nanoseconds(event.time)
        encoder.json.key(fixed: "severityNumber")
        encoder.json.int(9)
        encoder.json.member(fixed: "eventName", event.name)
        encoder.json.key(fixed: "attributes")
        encoder.json.beginArray()
        for attribute in EnvelopeAttribute.allCases {
            guard let value = attribute.value(of: event) else { continue }
            encoder.json.attribute(attribute.rawValue, value)
        }
        event.forEachParameter { parameter in
            let name = parameter.key.name
            guard !name.isEmpty else { return encoder.repaired("key_empty") }
            guard EnvelopeAttribute(rawValue: name) == nil else { return encoder.repaired("key_reserved") }
            encoder.json.attribute(name, parameter.value)
        }
        encoder.json.endArray()
        encoder.json.endObject()
        guard encoder.json.oversizedStrings == 0 else { throw EventRefusal(rule: "value_too_long") }
    }

    /// The app's version, which belongs to the resource: a request has one.
    public func batchKey(of event: OutgoingEvent) -> String { configuration.appVersion }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        var json = JSONWriter()
        json.beginObject()
        json.key(fixed: "resourceLogs")
        json.beginArray()
        json.beginObject()
        writeResource(version: batch.key, into: &json)
        json.key(fixed: "scopeLogs")
        json.beginArray()
        json.beginObject()
        json.key(fixed: "scope")
        json.object(["name": "AwesomeTracking"])
        json.key(fixed: "logRecords")
        json.beginArray()
        for event in batch.events { json.raw(event.fragment) }
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        let type = HTTPHeader(fixed: "Content-Type", "application/json")
        return HTTPRequest(
            url: configuration.endpoint.url,
            headers: [type] + (configuration.authorization.map { [$0] } ?? []),
            body: json.bytes,
            allowsGzip: true
        )
    }

    public func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        let verdict = responses.verdict(on: response)
        return verdict == .delivered ? OTLPAnswer.verdict(on: response, events: batch.events.count) : verdict
    }

    private func writeResource(version: String, into json: inout JSONWriter) {
        json.key(fixed: "resource")
        json.beginObject()
        json.key(fixed: "attributes")
        json.beginArray()
        json.attribute("service.name", .string(configuration.serviceName ?? lane.product))
        if !version.isEmpty { json.attribute("service.version", .string(version)) }
        json.endArray()
        json.endObject()
    }
}

extension OTLPDestination: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "OTLPDestination(\(lane) by \(configuration))" }
    public var debugDescription: String { description }
}

extension OTLPDestination: CustomReflectable {
    /// Has no children: what the parts hold is for the wire alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The attributes of a record that are no parameters, in their order; the names of OpenTelemetry's conventions where
/// they have one.
///
/// Keys of a record are unique: a parameter of such a name is left out and counted (`key_reserved`).
private enum EnvelopeAttribute: String, CaseIterable {
    case id = "log.record.uid"
    case session = "session.id"
    case device = "app.installation.id"
    case user = "user.id"
    case sequence = "awesome.sequence"

    func value(of event: OutgoingEvent) -> ParameterValue? {
        switch self {
        case .id: .string(event.id.description)
        case .session: .string(event.identity.sessionID)
        case .device: .string(event.identity.deviceID)
        case .user: event.identity.userID.map { .string($0) }
        case .sequence: .int(Int(clamping: event.sequence))
        }
    }
}
