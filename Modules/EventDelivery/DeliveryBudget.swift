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
