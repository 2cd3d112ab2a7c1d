public import CoreTracker
public import EventDelivery

/// A destination that sends events as log records of OTLP/HTTP in JSON, which every OpenTelemetry Collector accepts.
///
/// Each event is a record with an `eventName`, times and attributes. The attributes of the envelope precede the event's
/// parameters. They repeat the name as `event.name`, because receivers with an older schema ignore `eventName`. The
/// resource is the product. OTLP has no idempotency key. A record carries the event's id as `log.record.uid`, which
/// lets a store remove duplicates. A profile update is a record named `$identify`, `$group` or `$alias`.
///
/// ```swift
/// let configuration = try OTLPConfiguration(endpoint: endpoint, appVersion: "1.0.0")
/// return OTLPDestination(product: product, configuration: configuration)
/// ```
public final class OTLPDestination: Destination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    /// All profile updates, as records with the update's name.
    public let updates = Set(ProfileUpdate.allCases)
    /// At most 1,000 records and 1 MB before compression.
    ///
    /// Receivers accept 20 MiB by default.
    public let limits: BatchLimits
    private let configuration: OTLPConfiguration
    private let responses: ResponsePolicy

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - configuration: The receiver.
    ///   - purpose: The consent purpose of the events.
    ///   - responses: The meaning of the receiver's responses.
    public init(
        product: String,
        configuration: OTLPConfiguration,
        purpose: ConsentPurpose = .analytics,
        responses: ResponsePolicy = .otlp
    ) {
        lane = .awesomeTracking(product: product)
        self.purpose = purpose
        limits = BatchLimits(
            events: 1_000,
            bodyBytes: 1_000_000,
            framingBytes: configuration.statesSendingTime ? 72_000 : 4_000
        )
        self.configuration = configuration
        self.responses = responses
    }

    /// Encodes an event as a log record.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - encoder: Receives the JSON, and the counts of omitted parameters.
    /// - Throws: An error if the event has no name, or if a string is longer than 64 KiB.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard !event.name.isEmpty else { throw EventEncodingError(rule: "name_empty") }
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
            if let rule = EnvelopeAttribute.rule(brokenBy: name) { return encoder.recordAdjustment(rule) }
            if let traits = event.changedTraits(of: parameter) {
                encoder.json.attribute(name, traits, removing: event.removedTraits)
            } else {
                encoder.json.attribute(name, parameter.value)
            }
        }
        if event.update == .traits {
            for key in event.removedTraits {
                if let rule = EnvelopeAttribute.rule(brokenBy: key.name) {
                    encoder.recordAdjustment(rule)
                } else {
                    encoder.json.absentAttribute(key.name)
                }
            }
        }
        encoder.json.endArray()
        encoder.json.endObject()
        guard encoder.json.oversizedStrings == 0 else { throw EventEncodingError(rule: "value_too_long") }
    }

    /// The key of events without a version of the app.
    ///
    /// The rows of a ``ClickHouseDestination`` have an empty key, and cannot be sent as records.
    private static let noVersion = " "

    /// Returns the app's version, because a request has only one resource, or a blank if there is none.
    ///
    /// - Parameter event: An event of the request.
    public func batchKey(of event: OutgoingEvent) -> String {
        configuration.appVersion.isEmpty ? OTLPDestination.noVersion : configuration.appVersion
    }

    /// Accepts the records of an ``OTLPDestination``, and no rows of a ``ClickHouseDestination``.
    public func canSend(batchKey key: String) -> Bool { !key.isEmpty && key != OutgoingBatch.sdkKey }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        var json = JSONWriter()
        json.beginObject()
        json.key(fixed: "resourceLogs")
        json.beginArray()
        json.beginObject()
        writeResource(version: batch.key == OTLPDestination.noVersion ? "" : batch.key, into: &json)
        json.key(fixed: "scopeLogs")
        json.beginArray()
        json.beginObject()
        json.key(fixed: "scope")
        json.object(["name": "AwesomeTracking"])
        json.key(fixed: "logRecords")
        json.beginArray()
        if configuration.statesSendingTime, let time = batch.time {
            // A record ends with its attributes, which are never empty.
            let end = #",{"key":"\#(OTLPDestination.sentAt)","value":{"intValue":"\#(time.milliseconds)"}}]}"#
            for event in batch.events { json.raw(event.fragment.dropLast(2) + end.utf8) }
        } else {
            for event in batch.events { json.raw(event.fragment) }
        }
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        let type = HTTPHeader(fixed: "Content-Type", "application/json")
        return HTTPRequest(
            url: configuration.endpoint.url,
            headers: [type] + (configuration.authorization.map { [$0] } ?? []) + configuration.requests.headers,
            body: json.bytes,
            allowsGzip: configuration.requests.compressesBodies
        )
    }

    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        let result = responses.result(for: response)
        return result == .delivered ? OTLPResponse.result(for: response, events: batch.events.count) : result
    }

    /// The key of the time of the attempt, which no parameter can have.
    static let sentAt = "awesome.sent_at"

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
    /// A mirror without children, because the configuration contains credentials.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// An attribute of a record in addition to its event's parameters, in the order of writing.
///
/// If OpenTelemetry's conventions have a name for the attribute, it is used. Keys of a record are unique: a parameter
/// or a removed trait with such a name is left out and counted (`key_reserved`).
private enum EnvelopeAttribute: String, CaseIterable {
    case name = "event.name"
    case id = "log.record.uid"
    case session = "session.id"
    case device = "app.installation.id"
    case user = "user.id"
    case sequence = "awesome.sequence"

    /// Returns the rule that a parameter's key breaks, or `nil`.
    static func rule(brokenBy key: String) -> String? {
        if key.isEmpty { return "key_empty" }
        return EnvelopeAttribute(rawValue: key) == nil && key != OTLPDestination.sentAt ? nil : "key_reserved"
    }

    func value(of event: OutgoingEvent) -> ParameterValue? {
        switch self {
        case .name: .string(event.name)
        case .id: .string(event.id.description)
        case .session: event.identity.sessionID.isEmpty ? nil : .string(event.identity.sessionID)
        case .device: .string(event.identity.deviceID)
        case .user: event.identity.userID.map { .string($0) }
        case .sequence: .int(Int(clamping: event.sequence))
        }
    }
}
