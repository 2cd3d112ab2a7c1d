/// The limits on events stored on this device.
///
/// Beyond them, the oldest events of the lowest priority are evicted and counted.
public struct DeliveryBudget: Sendable, Equatable {
    /// The maximum number of stored events of all lanes.
    public var events: Int { didSet { events = max(1, events) } }
    /// The maximum size of the stored events of all lanes in bytes.
    public var bytes: Int { didSet { bytes = max(1, bytes) } }
    /// The maximum age of a stored event, measured by a trusted clock.
    ///
    /// The age of an event stored before a restart of the device is known once a receiver's time agrees with the
    /// device's. Until then, a lane that sends nothing keeps it and the events behind it.
    public var age: Duration { didSet { age = DeliveryBudget.clamped(age) } }
    /// The maximum number of events waiting for consent, on all lanes together.
    public var eventsAwaitingConsent: Int { didSet { eventsAwaitingConsent = max(1, eventsAwaitingConsent) } }
    /// The maximum number of quarantined events, at most 16,000.
    ///
    /// Beyond it, the oldest event of the lane with the most of them is dropped.
    public var quarantinedEvents: Int { didSet { quarantinedEvents = DeliveryBudget.clamped(quarantinedEvents) } }
    /// The maximum size of the quarantined events in bytes.
    ///
    /// Beyond it, the oldest event of the lane with the most of them is dropped.
    public var quarantinedBytes: Int { didSet { quarantinedBytes = max(1, quarantinedBytes) } }

    /// The longest age, about a hundred years, which keeps calculations with it within their range.
    private static let longestAge = Duration.seconds(100 * 365 * 24 * 60 * 60)

    /// A file with more quarantined events than 16,384 counts as damaged.
    private static let mostQuarantinedEvents = 16_000

    /// Creates a budget.
    ///
    /// Values below 1 become 1, as do values set later.
    ///
    /// - Parameters:
    ///   - events: The maximum number of stored events of all lanes.
    ///   - bytes: The maximum size of the stored events of all lanes in bytes.
    ///   - age: The maximum age of a stored event, at least one second.
    ///   - eventsAwaitingConsent: The maximum number of events waiting for consent.
    ///   - quarantinedEvents: The maximum number of quarantined events, at most 16,000.
    ///   - quarantinedBytes: The maximum size of the quarantined events in bytes.
    public init(
        events: Int = 100_000,
        bytes: Int = 20_000_000,
        age: Duration = .seconds(30 * 24 * 60 * 60),
        eventsAwaitingConsent: Int = 1_000,
        quarantinedEvents: Int = 500,
        quarantinedBytes: Int = 1_000_000
    ) {
        self.events = max(1, events)
        self.bytes = max(1, bytes)
        self.age = DeliveryBudget.clamped(age)
        self.eventsAwaitingConsent = max(1, eventsAwaitingConsent)
        self.quarantinedEvents = DeliveryBudget.clamped(quarantinedEvents)
        self.quarantinedBytes = max(1, quarantinedBytes)
    }

    private static func clamped(_ events: Int) -> Int { max(1, min(events, mostQuarantinedEvents)) }

    private static func clamped(_ age: Duration) -> Duration { max(.seconds(1), min(age, longestAge)) }
}
