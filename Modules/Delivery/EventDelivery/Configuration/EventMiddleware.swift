public import CoreTracker
public import EventTracking

/// A step between tracking and encoding, which can change, enrich or drop each event.
///
/// The engine calls the list of `DeliveryConfiguration.middleware` in its order, once for each lane of an event, before
/// the destination encodes the event. This happens on the writer's thread, and never on the thread of a caller of
/// `track`. Sensitive values have already been replaced or removed, as their policies require for the destination's
/// purpose.
///
/// ```swift
/// struct DebugFilter: EventMiddleware {
///     let name = "debug_filter"
///
///     func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
///         event.name.hasPrefix("debug_") ? .drop : .keep
///     }
/// }
/// ```
public protocol EventMiddleware: Sendable {
    /// The stable name in snake case.
    ///
    /// The ledger counts dropped and changed events as `middleware.` followed by this name.
    var name: String { get }
    /// Decides about an event.
    ///
    /// It must be fast and have no effects: if the storage fails, it is called again for the same event.
    ///
    /// - Parameters:
    ///   - event: The event, as the previous middleware returned it.
    ///   - lane: The lane of the event.
    /// - Returns: Whether to keep, change or drop the event.
    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult
}

/// The decision of a middleware about an event.
public enum MiddlewareResult: Sendable, Equatable {
    /// The event stays as it is.
    case keep
    /// The event is replaced by this one, and counted as adjusted.
    ///
    /// The engine restores the event's id, its sequence number and its kind of profile update. `lostValues` is the
    /// number of values that the event has lost because several parameters got the same key. Each of them is counted as
    /// `middleware.` followed by the name and `.collision`.
    indirect case change(OutgoingEvent, lostValues: Int = 0)
    /// The event is dropped and counted.
    case drop
}

extension DropReason {
    /// Returns the reason for an event dropped by a middleware.
    ///
    /// - Parameter name: The middleware's name.
    /// - Returns: The reason.
    public static func middleware(_ name: String) -> DropReason { DropReason(middlewarePrefix + name) }
}

extension EventMiddleware {
    /// Returns a middleware that applies this one on some lanes, and keeps the events of all others.
    ///
    /// - Parameter lanes: The lanes.
    /// - Returns: The restricted middleware.
    public func only(on lanes: Set<LaneID>) -> some EventMiddleware {
        LaneMiddleware(base: self, lanes: lanes)
    }
}

private struct LaneMiddleware<Base: EventMiddleware>: EventMiddleware {
    let base: Base
    let lanes: Set<LaneID>
    var name: String { base.name }

    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        lanes.contains(lane) ? base.process(event, on: lane) : .keep
    }
}
