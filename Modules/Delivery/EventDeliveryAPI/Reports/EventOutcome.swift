public import CoreTracker

/// An outcome of one event, or of several events that end together without being read.
///
/// The first outcome of an event is ``Kind/accepted``. A delivered event continues with ``Kind/stored``, ``Kind/sent``
/// for each attempt, and ``Kind/delivered``. An event can be dropped after any outcome except ``Kind/delivered``. An
/// outcome is published after it is true: `stored` after the commit, `sent` after the request has started. It contains
/// ids and codes, never event data.
///
/// ```swift
/// for await outcome in engine.outcomes() {
///     if case .dropped(let reason) = outcome.kind { losses[reason, default: 0] += outcome.count }
/// }
/// ```
public struct EventOutcome: Sendable, Hashable {
    /// The kind of an outcome.
    public enum Kind: Sendable, Hashable {
        /// The engine has accepted the event.
        ///
        /// The caller of `track` does not publish this outcome. It follows when the event leaves the buffer, usually
        /// within 5 ms.
        case accepted
        /// The event is stored.
        ///
        /// This is the moment of a receipt, so the event survives the end of the process. An engine without a directory
        /// stores in memory. If an event is delivered while the disk refuses it, it is never stored.
        case stored
        /// A request with the event has started.
        case sent
        /// The receiver has acknowledged the event.
        case delivered
        /// The receiver has refused the event, and the engine keeps it for inspection.
        case quarantined
        /// The event is dropped, and counted for the reason.
        case dropped(DropReason)
    }

    /// The event's id, or `nil` if ``count`` events ended without being read.
    ///
    /// A denial, an erasure and damage end stored events without reading them.
    public let id: EventID?
    /// The lane.
    public let lane: LaneID
    /// The kind of the outcome.
    public let kind: Kind
    /// The number of events, which is 1 if there is an ``id``.
    public let count: Int
    /// The time of the outcome, by the engine's clock.
    public let time: Timestamp
    /// The number of outcomes missed by this listener since its previous outcome, because it was too slow.
    public package(set) var missed = 0

    /// Creates an outcome.
    ///
    /// - Parameters:
    ///   - kind: The kind of the outcome.
    ///   - lane: The lane.
    ///   - id: The event's id, or `nil` for several events.
    ///   - count: The number of events.
    ///   - time: The time of the outcome.
    ///   - missed: The number of earlier outcomes lost by the listener.
    public init(_ kind: Kind, lane: LaneID, id: EventID?, count: Int = 1, time: Timestamp, missed: Int = 0) {
        self.id = id
        self.lane = lane
        self.kind = kind
        self.count = count
        self.time = time
        self.missed = missed
    }
}

extension EventOutcome.Kind: CustomStringConvertible {
    /// The name of the kind, such as `dropped`, without the reason.
    public var description: String {
        switch self {
        case .accepted: "accepted"
        case .stored: "stored"
        case .sent: "sent"
        case .delivered: "delivered"
        case .quarantined: "quarantined"
        case .dropped: "dropped"
        }
    }

    /// The reason of a loss, or `nil`.
    public var reason: DropReason? { if case .dropped(let reason) = self { reason } else { nil } }
}

extension DeliveryEngine {
    /// Returns a stream of all outcomes from now on, for the bridge to a log or to metrics.
    ///
    /// The stream is bounded: a slow listener loses the oldest outcomes, and ``EventOutcome/missed`` of the next one
    /// has their number. Delivery never waits for a listener. The stream ends when the engine is closed. If a listener
    /// misses nothing, its numbers of accepted, delivered and dropped events for each lane match the ledger.
    ///
    /// Without a listener, outcomes cost nothing but a check for each group of events.
    ///
    /// - Parameter limit: The maximum number of outcomes waiting for the listener, about 100 bytes each.
    /// - Returns: The stream. It supports one listener; call this function for each of several.
    public func outcomes(bufferingNewest limit: Int = 8_192) -> AsyncStream<EventOutcome> {
        buffer.outcomes.subscribe(bufferingNewest: limit)
    }
}
