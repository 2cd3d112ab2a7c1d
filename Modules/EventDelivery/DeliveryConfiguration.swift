#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an engine is opened with.
public struct DeliveryConfiguration: Sendable {
    /// The directory of the outbox, made with access for its owner only; `nil` keeps everything in memory.
    ///
    /// Each process has a file of its own in it, and takes over what ended processes have left there.
    public var directory: URL?
    /// Where the lanes deliver to; one destination for each lane.
    public var destinations: [any Destination]
    /// What carries the requests of all destinations that have no transport of their own.
    public var transport: any Transport
    /// How much may wait on this device.
    public var budget: DeliveryBudget
    /// What the user has said about each purpose so far.
    public var consent: [ConsentPurpose: Consent]
    /// What counts for a purpose that ``consent`` does not name.
    public var defaultConsent: Consent
    /// How many events of a name are taken at all.
    public var limits: TrackLimits
    /// A quiet time after which the next event begins a new session; `nil` leaves sessions to the app.
    public var sessionTimeout: Duration?
    /// The app's own key for the sensitive values whose policy is to be hashed; without one they are left out.
    ///
    /// The same value under the same salt has the same hash, on every device and for ever.
    public var salt: Secret?

    /// Creates a configuration.
    public init(
        directory: URL?,
        destinations: [any Destination],
        transport: any Transport = PlatformTransport(),
        budget: DeliveryBudget = DeliveryBudget(),
        consent: [ConsentPurpose: Consent] = [:],
        defaultConsent: Consent = .granted,
        limits: TrackLimits = .none,
        sessionTimeout: Duration? = .seconds(30 * 60),
        salt: Secret? = nil
    ) {
        self.directory = directory
        self.destinations = destinations
        self.transport = transport
        self.budget = budget
        self.consent = consent
        self.defaultConsent = defaultConsent
        self.limits = limits
        self.sessionTimeout = sessionTimeout
        self.salt = salt
    }
}

/// What one request to a destination may hold.
public struct BatchLimits: Sendable, Hashable {
    /// The most events of one request.
    public var events: Int { didSet { events = max(1, events) } }
    /// The most bytes of one request's body before compression, the destination's own framing included.
    public var bodyBytes: Int { didSet { bodyBytes = BatchLimits.clamped(bodyBytes) } }
    /// The bytes that the destination's framing adds to a body of the longest kind.
    public var framingBytes: Int { didSet { framingBytes = max(0, min(framingBytes, BatchLimits.mostBytes)) } }
    /// The most bytes of one encoded event; a longer one is refused and counted.
    public var eventBytes: Int { didSet { eventBytes = BatchLimits.clamped(eventBytes) } }
    /// The most requests under way at once where the destination needs no order; 1 where it does.
    public var inFlight: Int { didSet { inFlight = max(1, min(inFlight, BatchLimits.mostRequests)) } }

    /// So that no sum of limits overflows.
    private static let mostBytes = 1 << 30
    private static let mostRequests = 64

    /// Creates limits; values below 1 are taken as 1, and sizes beyond 1 GiB as 1 GiB.
    public init(
        events: Int,
        bodyBytes: Int,
        framingBytes: Int = 0,
        eventBytes: Int = 262_144,
        inFlight: Int = 1
    ) {
        self.events = max(1, events)
        self.bodyBytes = BatchLimits.clamped(bodyBytes)
        self.framingBytes = max(0, min(framingBytes, BatchLimits.mostBytes))
        self.eventBytes = max(1, min(BatchLimits.clamped(eventBytes), self.bodyBytes - self.framingBytes))
        self.inFlight = max(1, min(inFlight, BatchLimits.mostRequests))
    }

    private static func clamped(_ bytes: Int) -> Int { max(1, min(bytes, mostBytes)) }
}

/// How much may wait on this device; beyond it the least important, oldest events go, and are counted.
public struct DeliveryBudget: Sendable, Hashable {
    /// The most stored events of all lanes.
    public var events: Int
    /// The most stored bytes of all lanes.
    public var bytes: Int
    /// The longest time that an event may wait, by a clock that can be trusted.
    public var age: Duration
    /// The most events that wait for consent.
    public var heldEvents: Int
    /// The most quarantined events; the oldest is given up beyond it.
    public var quarantinedEvents: Int
    /// The most bytes of quarantined events; the oldest is given up beyond it.
    public var quarantinedBytes: Int

    /// Creates a budget; values below 1 are taken as 1.
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
