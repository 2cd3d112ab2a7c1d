/// A group of stored events that one request carries; its id and composition stay the same on every retry.
public struct OutgoingBatch: Sendable {
    /// One event of a batch: its id and the bytes that the destination encoded for it.
    public struct Event: Sendable {
        /// The event's id.
        public let id: EventID
        /// What ``Destination/encode(_:into:)`` wrote, byte for byte.
        public let fragment: ArraySlice<UInt8>

        /// Creates an event of a batch.
        public init(id: EventID, fragment: ArraySlice<UInt8>) {
            self.id = id
            self.fragment = fragment
        }
    }

    /// The batch's id, for an idempotency header or token.
    public let id: EventID
    /// What ``Destination/batchKey(of:)`` answered for each of the events.
    public let key: String
    /// The number of this attempt, from 1.
    public let attempt: Int
    /// The events, in the order in which they were tracked; never empty.
    public let events: [Event]

    /// Creates a batch.
    public init(id: EventID, key: String = "", attempt: Int = 1, events: [Event]) {
        self.id = id
        self.key = key
        self.attempt = attempt
        self.events = events
    }
}
