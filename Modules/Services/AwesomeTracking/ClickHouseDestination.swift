public import CoreTracker
public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination that sends events as `INSERT … FORMAT JSONEachRow` over HTTP.
///
/// A row is a flat object of columns. A table may have only some of them. The event's parameters are in the column
/// `props` as a JSON string, because older servers do not accept an object. The rows of a request are stored together
/// or not at all. A row that arrives twice is recognized by its `event_id`. Vector and other gateways accept the same
/// body. A profile update is a row named `$identify`, `$group` or `$alias`.
///
/// ```swift
/// let rows = try ClickHouseConfiguration(endpoint: Endpoint("https://localhost"))
/// let clickHouse = ClickHouseDestination(product: "AC", configuration: rows)
/// ```
public final class ClickHouseDestination: Destination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    /// All profile updates, as rows with the update's name.
    public let updates = Set(ProfileUpdate.allCases)
    /// At most 1,000 rows and 1 MB before compression, the recommended size of an INSERT.
    public let limits: BatchLimits
    private let configuration: ClickHouseConfiguration
    private let responses: ClickHouseResponses
    private let query: [URLQueryItem]

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - configuration: The server and the table.
    ///   - purpose: The consent purpose of the events.
    ///   - responses: The meaning of the server's responses.
    public init(
        product: String,
        configuration: ClickHouseConfiguration,
        purpose: ConsentPurpose = .analytics,
        responses: ClickHouseResponses = .standard
    ) {
        lane = .awesomeTracking(product: product)
        self.purpose = purpose
        limits = BatchLimits(
            events: 1_000,
            bodyBytes: 1_000_000,
            framingBytes: configuration.statesSendingTime ? 32_000 : 1_000
        )
        self.configuration = configuration
        self.responses = responses
        query = [
            URLQueryItem(name: "database", value: configuration.database),
            URLQueryItem(name: "query", value: "INSERT INTO \(configuration.table) FORMAT JSONEachRow"),
            URLQueryItem(name: "input_format_skip_unknown_fields", value: "1"),
        ]
    }

    /// Encodes an event as a row.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - encoder: Receives the JSON.
    /// - Throws: An error if the event has no name, or if a string is longer than 64 KiB.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard !event.name.isEmpty else { throw EventEncodingError(rule: "name_empty") }
        encoder.json.beginObject()
        encoder.json.key(fixed: "event_id")
        encoder.json.id(event.id)
        encoder.json.member(fixed: "name", event.name)
        encoder.json.key(fixed: "ts_ms")
        encoder.json.int(event.time.milliseconds)
        encoder.json.key(fixed: "seq")
        encoder.json.int(event.sequence)
        encoder.json.member(fixed: "session_id", event.identity.sessionID)
        encoder.json.member(fixed: "device_id", event.identity.deviceID)
        encoder.json.member(fixed: "user_id", event.identity.userID ?? "")
        encoder.json.member(fixed: "product", lane.product)
        encoder.json.member(fixed: "app_version", configuration.appVersion)
        encoder.json.key(fixed: "schema")
        encoder.json.int(configuration.schema)
        encoder.json.key(fixed: "props")
        encoder.json.beginString()
        encoder.json.beginObject()
        event.forEachParameter { parameter in
            guard let traits = event.changedTraits(of: parameter) else {
                return encoder.json.member(parameter.key.name, parameter.value)
            }
            encoder.json.key(parameter.key.name)
            encoder.json.beginObject()
            for trait in traits { encoder.json.member(trait.key.name, trait.value) }
            encoder.json.nulls(event.removedTraits)
            encoder.json.endObject()
        }
        if event.update == .traits { encoder.json.nulls(event.removedTraits) }
        encoder.json.endObject()
        encoder.json.endString()
        encoder.json.endObject()
        guard encoder.json.oversizedStrings == 0 else { throw EventEncodingError(rule: "value_too_long") }
    }

    /// Accepts the rows of a ``ClickHouseDestination``, which have no key, and no records of an ``OTLPDestination``.
    public func canSend(batchKey key: String) -> Bool { key.isEmpty }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        var headers = [HTTPHeader(fixed: "Content-Type", "application/x-ndjson")]
        headers += configuration.credentials + configuration.requests.headers
        if let name = configuration.idempotencyHeader, let header = try? HTTPHeader(name, batch.id.description) {
            headers.append(header)
        }
        var query = query
        if configuration.server == .modern {
            query.append(URLQueryItem(name: "insert_deduplication_token", value: batch.id.description))
            query.append(URLQueryItem(name: "input_format_try_infer_dates", value: "0"))
            query.append(URLQueryItem(name: "input_format_try_infer_datetimes", value: "0"))
        }
        var body: [UInt8] = []
        let time = configuration.statesSendingTime ? batch.time : nil
        let end = Array(((time.map { ",\"sent_at\":\($0.milliseconds)" } ?? "") + "}\n").utf8)
        body.reserveCapacity(batch.events.reduce(0) { $0 + $1.fragment.count + end.count })
        for event in batch.events {
            // `+=` would take the slow `dropLast` of a sequence.
            body.append(contentsOf: event.fragment.dropLast())
            body.append(contentsOf: end)
        }
        return HTTPRequest(
            url: configuration.endpoint.url(adding: query),
            headers: headers,
            body: body,
            allowsGzip: configuration.requests.compressesBodies
        )
    }

    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        responses.result(for: response)
    }
}

extension ClickHouseDestination: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String {
        "ClickHouseDestination(\(lane) by \(configuration))"
    }
    public var debugDescription: String { description }
}

extension ClickHouseDestination: CustomReflectable {
    /// A mirror without children, because the configuration contains credentials.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension OutgoingEvent {
    /// Returns the traits in a parameter of a group's update that also removes traits, or `nil` for any other
    /// parameter.
    func changedTraits(of parameter: EventParameters.Element) -> EventParameters? {
        guard update == .group, !removedTraits.isEmpty, parameter.key == "traits",
            case .object(let traits) = parameter.value
        else { return nil }
        return traits
    }
}
