public import EventBuffer

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings that an engine is opened with.
///
/// ```swift
/// let configuration = DeliveryConfiguration(
///     directory: URL.temporaryDirectory.appending(path: "events-\(UUID().uuidString)"),
///     destinations: [
///         MeasurementProtocolDestination(product: "AC", configuration: firebase),
///         ClickHouseDestination(product: "AC", configuration: rows),
///     ]
/// )
/// try await DeliveryEngine.shared.open(configuration)
/// ```
public struct DeliveryConfiguration: Sendable {
    /// The directory of the outbox, or `nil` to keep all events in memory.
    ///
    /// It is created with access for its owner only, and excluded from backups on Apple platforms. One engine of one
    /// process uses it at a time. While another one uses it, this engine keeps its events in the buffer and sends none.
    public var directory: URL?
    /// The destinations, at most one for each lane.
    public var destinations: [any Destination]
    /// The transport of all destinations that do not name one.
    public var transport: any Transport
    /// The limits on stored events.
    public var budget: DeliveryBudget
    /// The decisions about purposes for which the directory has no decision of the user.
    ///
    /// A stored decision of the user overrides a grant or `unknown` here, so a grant here never lifts a stored denial.
    /// A denial here overrides a stored grant, as a call of `setConsent` would, unless the app has already set the
    /// purpose in this run. A purpose without an entry has ``defaultConsent``.
    public var consent: [ConsentPurpose: Consent]
    /// The decision about a purpose that the user has not decided about and that ``consent`` does not name.
    public var defaultConsent: Consent
    /// The exchange of decisions between an app and its extensions, or `nil`.
    ///
    /// An engine that follows an app ignores ``consent`` and ``defaultConsent``: a purpose that the app has not decided
    /// about is unknown.
    public var sharing: DecisionSharing?
    /// Sampling and rate limits by event name.
    public var limits: TrackLimits
    /// The time without an event after which the next event starts a new session.
    ///
    /// With `nil` the app starts sessions.
    public var sessionTimeout: Duration?
    /// The app's key for hashing sensitive values.
    ///
    /// Without a key, values whose policy is hashing are left out. The same value with the same salt always has the
    /// same hash, on every device.
    public var salt: Secret?
    /// The steps that can change or drop each event before it is encoded, in this order.
    public var middleware: [any EventMiddleware]

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - directory: The directory of the outbox, or `nil` to keep all events in memory.
    ///   - destinations: The destinations, at most one for each lane.
    ///   - transport: The transport of all destinations that do not name one.
    ///   - budget: The limits on stored events.
    ///   - consent: The decisions about purposes for which the directory has no decision of the user.
    ///   - defaultConsent: The decision about all other purposes.
    ///   - sharing: The exchange of decisions between an app and its extensions, or `nil`.
    ///   - limits: Sampling and rate limits by event name.
    ///   - sessionTimeout: The time without an event after which a new session starts, or `nil`.
    ///   - salt: The app's key for hashing sensitive values.
    ///   - middleware: The steps that can change or drop each event before it is encoded, in this order.
    public init(
        directory: URL?,
        destinations: [any Destination],
        transport: any Transport = PlatformTransport(),
        budget: DeliveryBudget = DeliveryBudget(),
        consent: [ConsentPurpose: Consent] = [:],
        defaultConsent: Consent = .granted,
        sharing: DecisionSharing? = nil,
        limits: TrackLimits = .none,
        sessionTimeout: Duration? = .seconds(30 * 60),
        salt: Secret? = nil,
        middleware: [any EventMiddleware] = []
    ) {
        self.directory = directory
        self.destinations = destinations
        self.transport = transport
        self.budget = budget
        self.consent = consent
        self.defaultConsent = defaultConsent
        self.sharing = sharing
        self.limits = limits
        self.sessionTimeout = sessionTimeout
        self.salt = salt
        self.middleware = middleware
    }
}

/// The maximum sizes of a request to a destination.
public struct BatchLimits: Sendable, Hashable {
    /// The maximum number of events in one request.
    public var events: Int { didSet { events = max(1, events) } }
    /// The maximum size of one request's body in bytes, before compression and including the destination's framing.
    public var bodyBytes: Int { didSet { bodyBytes = BatchLimits.clamped(bodyBytes) } }
    /// The maximum number of bytes that the destination's framing adds to a body.
    public var framingBytes: Int { didSet { framingBytes = max(0, min(framingBytes, BatchLimits.maximumBytes)) } }
    /// The maximum size of one encoded event in bytes.
    ///
    /// A larger event is refused and counted.
    public var eventBytes: Int { didSet { eventBytes = BatchLimits.clamped(eventBytes) } }
    /// The maximum number of concurrent requests if the destination needs no order.
    ///
    /// It is 1 if it needs one.
    public var inFlight: Int { didSet { inFlight = max(1, min(inFlight, BatchLimits.maximumRequests)) } }

    /// Keeps sums of limits from overflowing.
    private static let maximumBytes = 1 << 30
    private static let maximumRequests = 64

    /// Creates limits.
    ///
    /// Values below 1 become 1, and sizes above 1 GiB become 1 GiB.
    ///
    /// - Parameters:
    ///   - events: The maximum number of events in one request.
    ///   - bodyBytes: The maximum size of one request's body in bytes.
    ///   - framingBytes: The maximum number of bytes that the destination's framing adds to a body.
    ///   - eventBytes: The maximum size of one encoded event in bytes. It is reduced to the space that a body has for
    ///     it.
    ///   - inFlight: The maximum number of concurrent requests, at most 64.
    public init(
        events: Int,
        bodyBytes: Int,
        framingBytes: Int = 0,
        eventBytes: Int = 262_144,
        inFlight: Int = 1
    ) {
        self.events = max(1, events)
        self.bodyBytes = BatchLimits.clamped(bodyBytes)
        self.framingBytes = max(0, min(framingBytes, BatchLimits.maximumBytes))
        self.eventBytes = max(1, min(BatchLimits.clamped(eventBytes), self.bodyBytes - self.framingBytes))
        self.inFlight = max(1, min(inFlight, BatchLimits.maximumRequests))
    }

    private static func clamped(_ bytes: Int) -> Int { max(1, min(bytes, maximumBytes)) }
}

/// The limits on events stored on this device.
///
/// Beyond them, the oldest events of the lowest priority are evicted and counted.
public struct DeliveryBudget: Sendable, Hashable {
    /// The maximum number of stored events of all lanes.
    public var events: Int
    /// The maximum size of the stored events of all lanes in bytes.
    public var bytes: Int
    /// The maximum age of a stored event, measured by a trusted clock.
    public var age: Duration
    /// The maximum number of events that wait for consent.
    public var heldEvents: Int
    /// The maximum number of quarantined events.
    ///
    /// Beyond it, the oldest is dropped.
    public var quarantinedEvents: Int
    /// The maximum size of the quarantined events in bytes.
    ///
    /// Beyond it, the oldest is dropped.
    public var quarantinedBytes: Int

    /// Creates a budget.
    ///
    /// Values below 1 become 1.
    ///
    /// - Parameters:
    ///   - events: The maximum number of stored events of all lanes.
    ///   - bytes: The maximum size of the stored events of all lanes in bytes.
    ///   - age: The maximum age of a stored event, at least one second.
    ///   - heldEvents: The maximum number of events that wait for consent.
    ///   - quarantinedEvents: The maximum number of quarantined events.
    ///   - quarantinedBytes: The maximum size of the quarantined events in bytes.
    public init(
        events: Int = 100_000,
        bytes: Int = 20_000_000,
        age: Duration = .seconds(30 * 24 * 60 * 60),
        heldEvents: Int = 1_000,
        quarantinedEvents: Int = 500,
        quarantinedBytes: Int = 1_000_000
    ) {
        self.events = max(1, events)
        self.bytes = max(1, bytes)
        self.age = max(.seconds(1), age)
        self.heldEvents = max(1, heldEvents)
        self.quarantinedEvents = max(1, quarantinedEvents)
        self.quarantinedBytes = max(1, quarantinedBytes)
    }
}
