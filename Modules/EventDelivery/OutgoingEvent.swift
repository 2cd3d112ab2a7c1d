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
