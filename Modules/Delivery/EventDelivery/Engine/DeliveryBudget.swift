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
