public import CoreTracker
public import EventTracking

/// An event as it was at the moment of tracking, addressed to one service.
public struct OutgoingEvent: Sendable, Equatable {
    /// The id of this delivery, which is the same on every retry.
    public var id: EventID
    /// The event's name.
    public var name: String
    /// The event's parameters, without the defaults.
    public var parameters: EventParameters
    /// The product's default parameters at the moment of tracking.
    ///
    /// ``parameters`` override them.
    public var defaults: EventParameters
    /// The time of the event.
    public var time: Timestamp
    /// The user, installation and session of the event.
    public var identity: Identity
    /// The event's sequence number in its lane of this installation.
    ///
    /// It starts at 1 and strictly increases, also across restarts. If a receiver sees a gap, an event was stored and
    /// has not arrived, or one was taken back from the quarantine. Numbers of events that the disk has refused are used
    /// again in the next run. Without a directory, each run starts at 1.
    public var sequence: UInt64
    /// The kind of profile update, or `nil` for an ordinary event.
    public var update: ProfileUpdate?
    /// The names of the user's or the group's traits removed by an update.
    public var removedTraits: [ParameterKey] = []
    /// Whether the event is kept until the user decides about its purpose.
    package var awaitsConsent = false

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - id: The id of this delivery.
    ///   - name: The event's name.
    ///   - parameters: The event's parameters, without the defaults.
    ///   - defaults: The product's default parameters, which `parameters` override.
    ///   - time: The time of the event.
    ///   - identity: The user, installation and session of the event.
    ///   - sequence: The event's sequence number in its lane of this installation.
    ///   - update: The kind of profile update, or `nil` for an ordinary event.
    public init(
        id: EventID,
        name: String,
        parameters: EventParameters,
        defaults: EventParameters = [:],
        time: Timestamp,
        identity: Identity,
        sequence: UInt64,
        update: ProfileUpdate? = nil
    ) {
        self.id = id
        self.name = name
        self.parameters = parameters
        self.defaults = defaults
        self.time = time
        self.identity = identity
        self.sequence = sequence
        self.update = update
    }

    /// The default parameters, overridden by the event's parameters.
    public var mergedParameters: EventParameters { defaults.merging(parameters) }
}

extension OutgoingEvent {
    /// Visits the parameters of ``mergedParameters`` without building that collection: first the event's parameters,
    /// then the other defaults.
    ///
    /// - Parameter visit: Receives each parameter once.
    package func forEachParameter(_ visit: (EventParameters.Element) -> Void) {
        for parameter in parameters { visit(parameter) }
        for parameter in defaults where !parameters.contains(where: { $0.key == parameter.key }) { visit(parameter) }
    }
}

/// A group of stored events for one request.
///
/// Its id and its events stay the same on every retry.
public struct OutgoingBatch: Sendable {
    /// One event of a batch: its id and its encoded bytes.
    public struct Event: Sendable {
        /// The event's id.
        public let id: EventID
        /// The bytes from ``Destination/encode(_:into:)``, unchanged.
        public let fragment: ArraySlice<UInt8>

        /// Creates an event of a batch.
        ///
        /// - Parameters:
        ///   - id: The event's id.
        ///   - fragment: The event's encoded bytes.
        public init(id: EventID, fragment: ArraySlice<UInt8>) {
            self.id = id
            self.fragment = fragment
        }
    }

    /// The key of events stored for a vendor's SDK in this process.
    ///
    /// No destination that sends requests uses it. An SDK's response has no status.
    package static let sdkKey = "\u{1F}sdk"

    /// The batch's id, for an idempotency header or token.
    public let id: EventID
    /// The events' common key from ``Destination/batchKey(of:)``.
    public let key: String
    /// The number of this attempt, from 1.
    public let attempt: Int
    /// The time of this attempt, or `nil` for a placeholder batch.
    public let time: Timestamp?
    /// The events, in the order of tracking.
    ///
    /// Never empty.
    public let events: [Event]
    /// The user's and the configuration's consent decisions at the time of this attempt, by purpose.
    public let consents: [ConsentPurpose: Consent]

    /// Creates a batch.
    ///
    /// - Parameters:
    ///   - id: The batch's id.
    ///   - key: The batch key of all its events.
    ///   - attempt: The number of this attempt, from 1.
    ///   - time: The time of this attempt, or `nil` for a placeholder batch.
    ///   - events: The events, in the order of tracking.
    ///   - consents: The consent decisions at the time of this attempt.
    public init(
        id: EventID,
        key: String = "",
        attempt: Int = 1,
        time: Timestamp? = nil,
        events: [Event],
        consents: [ConsentPurpose: Consent] = [:]
    ) {
        self.id = id
        self.key = key
        self.attempt = attempt
        self.time = time
        self.events = events
        self.consents = consents
    }
}
