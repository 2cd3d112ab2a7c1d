public import CoreTracker

/// One event on its way to one service, as it was at the moment of tracking.
public struct OutgoingEvent: Sendable, Hashable {
    /// The id of this delivery; the same on every retry.
    public var id: EventID
    /// The event's name.
    public var name: String
    /// The event's own parameters.
    public var parameters: EventParameters
    /// The product's default parameters at the moment of tracking; the event's own win over them.
    public var defaults: EventParameters
    /// When the event happened.
    public var time: Timestamp
    /// Who the event belongs to.
    public var identity: Identity
    /// The event's number in its lane of this installation, from 1, strictly increasing, also across restarts.
    ///
    /// A gap that a receiver sees is an event that was stored and has not arrived.
    public var sequence: UInt64
    /// Whether the event is stored until the user decides about its purpose.
    package var awaitsConsent = false

    /// Creates an event.
    public init(
        id: EventID,
        name: String,
        parameters: EventParameters,
        defaults: EventParameters = [:],
        time: Timestamp,
        identity: Identity,
        sequence: UInt64
    ) {
        self.id = id
        self.name = name
        self.parameters = parameters
        self.defaults = defaults
        self.time = time
        self.identity = identity
        self.sequence = sequence
    }

    /// The default parameters overlaid by the event's own.
    public var mergedParameters: EventParameters { defaults.merging(parameters) }
}

extension OutgoingEvent {
    /// Visits what ``mergedParameters`` holds, without building it: the event's own, then the other defaults.
    package func forEachParameter(_ visit: (EventParameters.Element) -> Void) {
        for parameter in parameters { visit(parameter) }
        for parameter in defaults where !parameters.contains(where: { $0.key == parameter.key }) { visit(parameter) }
    }
}

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
    /// What holds for each purpose now, at this attempt, as far as the user or the configuration has said anything.
    public let consents: [ConsentPurpose: Consent]

    /// Creates a batch.
    public init(
        id: EventID,
        key: String = "",
        attempt: Int = 1,
        events: [Event],
        consents: [ConsentPurpose: Consent] = [:]
    ) {
        self.id = id
        self.key = key
        self.attempt = attempt
        self.events = events
        self.consents = consents
    }
}
