/// A description of a service, with which a collector finds the events in a request.
///
/// To support another service, define a constant. No code is specific to a vendor.
///
/// ```swift
/// public static let braze = CollectorService(
///     "braze",
///     layout: .lists(["events"]),
///     id: ["properties", "event_uid"],
///     eventName: ["name"],
///     matches: { $0.path.hasSuffix("/users/track") }
/// )
/// ```
public struct CollectorService: Sendable {
    /// A location of the events in a body.
    public enum Layout: Sendable, Hashable {
        /// Each line is a JSON object (NDJSON).
        case lines
        /// The body is an object, and its members with these names are arrays of events.
        case lists([String])
        /// The body is an object with nested arrays.
        ///
        /// Each name is a member of the elements of the previous array.
        case nestedLists([String])
    }

    /// The name, which identifies the results of the service.
    public let name: String
    let layout: Layout
    let idPath: [String]
    let namePath: [String]
    /// A closure that selects the service's requests, or `nil` to select all that no other service matches.
    let matches: (@Sendable (CollectedHead) -> Bool)?

    /// Creates a service.
    ///
    /// OTLP writes attributes as an array of objects with a `key` and a `value`. In such an array, a key of a path
    /// selects the value.
    ///
    /// - Parameters:
    ///   - name: The name, which identifies the results of the service.
    ///   - layout: The location of the events in a body.
    ///   - idPath: The keys that lead to an event's id.
    ///   - namePath: The keys that lead to an event's name.
    ///   - matches: A closure that selects the service's requests. If it is `nil`, the service is a catch-all: it gets
    ///     each request that no other service matches, regardless of its position in a list.
    public init(
        _ name: String,
        layout: Layout,
        id idPath: [String],
        eventName namePath: [String],
        matches: (@Sendable (CollectedHead) -> Bool)? = nil
    ) {
        self.name = name
        self.layout = layout
        self.idPath = idPath
        self.namePath = namePath
        self.matches = matches
    }

    /// Firebase over the GA4 Measurement Protocol.
    ///
    /// The event's id is the parameter `event_id`.
    public static let firebase = CollectorService(
        "firebase",
        layout: .lists(["events"]),
        id: ["params", "event_id"],
        eventName: ["name"],
        matches: { $0.path.hasSuffix("/mp/collect") && $0.query["measurement_id"] == nil }
    )

    /// The in-house service: NDJSON rows with a column `event_id`, as `INSERT … FORMAT JSONEachRow` accepts them.
    public static let awesomeTracking = CollectorService(
        "awesomeTracking",
        layout: .lines,
        id: ["event_id"],
        eventName: ["name"]
    )

    /// The in-house service with OTLP log records.
    ///
    /// The event's id is the attribute `log.record.uid`.
    public static let awesomeTrackingByOTLP = CollectorService(
        awesomeTracking.name,
        layout: .nestedLists(["resourceLogs", "scopeLogs", "logRecords"]),
        id: ["attributes", "log.record.uid", "stringValue"],
        eventName: ["eventName"],
        matches: { $0.path.hasSuffix("/v1/logs") }
    )

    /// Returns the events of a request.
    ///
    /// Parts in another layout are ignored.
    ///
    /// - Parameter request: A request of this service.
    /// - Returns: The events, in order.
    public func events(in request: CollectedRequest) -> [CollectedEvent] {
        EventReader.places(in: request.body, of: self).compactMap { range in
            CollectedValue(Array(request.body[range])).map { value in
                CollectedEvent(
                    id: value.value(at: idPath)?.string ?? "",
                    name: value.value(at: namePath)?.string ?? "",
                    json: value,
                    arrival: request.arrival,
                    range: range
                )
            }
        }
    }
}

extension Sequence<CollectorService> {
    /// Returns the service of a request.
    ///
    /// - Parameter head: The head of the request.
    /// - Returns: The first service that matches the head. If there is none, the first catch-all service, if any.
    public func service(for head: CollectedHead) -> CollectorService? {
        first { $0.matches?(head) == true } ?? first { $0.matches == nil }
    }
}

extension [CollectorService] {
    /// All services that this module defines.
    public static let all: [CollectorService] = [
        .adobe, .braze, .sumo, .googleAnalytics, .firebase, .awesomeTrackingByOTLP, .awesomeTracking,
    ]
}
