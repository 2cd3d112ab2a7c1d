/// A service whose requests a collector can read: where its events stand in a body, as data.
///
/// To add a service, write its constant: no code reads bodies per vendor.
public struct CollectorService: Sendable {
    /// Where the events stand in a body.
    public enum Layout: Sendable, Hashable {
        /// One JSON object a line (NDJSON).
        case lines
        /// In lists that are members of the body's object.
        case lists([String])
        /// In lists of lists: each name is a list that is a member of the elements of the one before.
        case nestedLists([String])
    }

    /// The name, by which results are asked for.
    public let name: String
    let layout: Layout
    let idPath: [String]
    let namePath: [String]
    /// Which requests are the service's own; `nil` for all that no other service matches.
    let matches: (@Sendable (CollectedHead) -> Bool)?

    /// Creates a service.
    ///
    /// In a list of objects that have a `key` and a `value`, as OTLP writes attributes, a key of a path selects a
    /// value.
    ///
    /// - Parameters:
    ///   - name: The name by which results are read.
    ///   - layout: Where a body has its events.
    ///   - idPath: The keys that lead to an event's id.
    ///   - namePath: The keys that lead to an event's name.
    ///   - matches: Whether a request is one of the service's own; `nil` for a catch-all service, which gets each
    ///     request that no other service matches, whatever its place in a list.
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

    /// Firebase over the GA4 Measurement Protocol; the event's id is the parameter `event_id`.
    public static let firebase = CollectorService(
        "firebase",
        layout: .lists(["events"]),
        id: ["params", "event_id"],
        eventName: ["name"],
        matches: { $0.path.hasSuffix("/mp/collect") && $0.query["measurement_id"] == nil }
    )

    /// The in-house service: NDJSON rows with a column `event_id`, as `INSERT … FORMAT JSONEachRow` takes them.
    public static let awesomeTracking = CollectorService(
        "awesomeTracking",
        layout: .lines,
        id: ["event_id"],
        eventName: ["name"]
    )

    /// The in-house service as log records of OTLP; the event's id is the attribute `log.record.uid`.
    public static let awesomeTrackingByOTLP = CollectorService(
        awesomeTracking.name,
        layout: .nestedLists(["resourceLogs", "scopeLogs", "logRecords"]),
        id: ["attributes", "log.record.uid", "stringValue"],
        eventName: ["eventName"],
        matches: { $0.path.hasSuffix("/v1/logs") }
    )

    /// Reads the events of a request; what is no event of this layout is left out.
    public func events(in request: CollectedRequest) -> [CollectedEvent] {
        EventReader.places(in: request.body, of: self).compactMap { place in
            CollectedValue(Array(request.body[place])).map { value in
                CollectedEvent(
                    id: value.value(at: idPath)?.string ?? "",
                    name: value.value(at: namePath)?.string ?? "",
                    json: value,
                    arrival: request.arrival,
                    place: place
                )
            }
        }
    }
}

extension Sequence<CollectorService> {
    /// Returns the service that a request belongs to: the first that matches its head, or else the first catch-all
    /// service.
    public func service(for head: CollectedHead) -> CollectorService? {
        first { $0.matches?(head) == true } ?? first { $0.matches == nil }
    }
}

extension [CollectorService] {
    /// The services that this module knows.
    public static let all: [CollectorService] = [
        .adobe, .braze, .sumo, .googleAnalytics, .firebase, .awesomeTrackingByOTLP, .awesomeTracking,
    ]
}
