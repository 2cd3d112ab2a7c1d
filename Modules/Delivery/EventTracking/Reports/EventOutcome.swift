public import CoreTracker

/// An outcome of one event, or of several events that end together without being read.
///
/// The first outcome of an event is ``Kind/accepted``. A delivered event continues with ``Kind/stored``, ``Kind/sent``
/// for each attempt, and ``Kind/delivered``. An event can be dropped after any outcome except ``Kind/delivered``. An
/// outcome is published after it is true, such as `stored` after the commit, except `sent`, which comes just before the
/// request starts. It contains ids and codes, never event data.
///
/// `engine.outcomes()` of DeliveryMetrics is a stream of outcomes.
public struct EventOutcome: Sendable, Equatable {
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
        /// A request with the event starts.
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
