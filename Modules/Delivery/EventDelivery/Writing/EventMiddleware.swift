public import CoreTracker
public import EventDeliveryAPI

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
    /// It must be fast and have no effects: if the storage fails, it is called again for the same event, and two
    /// threads may call it for different events.
    ///
    /// - Parameters:
    ///   - event: The event, as the previous middleware returned it.
    ///   - lane: The lane of the event.
    /// - Returns: Whether to keep, change or drop the event.
    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult
}

/// The decision of a middleware about an event.
public enum MiddlewareResult: Sendable, Hashable {
    /// The event stays as it is.
    case keep
    /// The event is replaced by this one, and counted as adjusted.
    ///
    /// The engine restores the event's id, its sequence number and its kind of profile update.
    case change(OutgoingEvent)
    /// The event is replaced by this one, which has lost values, because several parameters got the same key.
    ///
    /// It is counted like ``change(_:)``. Each lost value is counted as `middleware.` followed by the name and
    /// `.collision`.
    case changeWithCollisions(OutgoingEvent, lost: Int)
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

/// A middleware that removes parameters by their keys, including from nested objects.
public struct KeyDenylist: EventMiddleware {
    public let name: String
    private let changes: [ParameterKey: KeyChange]

    /// Creates a denylist.
    ///
    /// - Parameters:
    ///   - keys: The keys of the parameters to remove.
    ///   - name: The middleware's name, which must differ between several lists to count them separately.
    public init(_ keys: Set<ParameterKey>, name: String = "key_denylist") {
        changes = Dictionary(uniqueKeysWithValues: keys.map { ($0, .remove) })
        self.name = name
    }

    public func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        event.rewriting(changes)
    }
}

/// A middleware that renames parameters, including in nested objects, for the time of a migration.
///
/// All parameters are renamed at the same time, so two keys can be swapped. If an event already has a parameter under
/// the new key, and that parameter is not renamed itself, it stays, and the value of the old one is lost and counted.
public struct KeyRename: EventMiddleware {
    public let name: String
    private let changes: [ParameterKey: KeyChange]

    /// Creates a middleware that renames parameters.
    ///
    /// - Parameters:
    ///   - names: The new key for each old key.
    ///   - keepsOld: Whether events have the value under both keys, until all queries use the new one.
    ///   - name: The middleware's name.
    public init(_ names: [ParameterKey: ParameterKey], keepsOld: Bool = false, name: String = "key_rename") {
        changes = names.filter { $0.key != $0.value }.mapValues { keepsOld ? .copy(to: $0) : .rename(to: $0) }
        self.name = name
    }

    public func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        event.rewriting(changes)
    }
}

/// A change of one parameter.
private enum KeyChange {
    case remove
    case rename(to: ParameterKey)
    case copy(to: ParameterKey)
}

extension OutgoingEvent {
    /// Returns the result of changing the parameters and defaults, at all levels.
    fileprivate func rewriting(_ changes: [ParameterKey: KeyChange]) -> MiddlewareResult {
        var lost = 0
        let parameters = parameters.rewritten(changes, &lost)
        let defaults = defaults.rewritten(changes, &lost)
        guard parameters != nil || defaults != nil else { return .keep }
        var event = self
        event.parameters = parameters ?? self.parameters
        event.defaults = defaults ?? self.defaults
        return lost == 0 ? .change(event) : .changeWithCollisions(event, lost: lost)
    }
}

extension EventParameters {
    /// Returns the changed parameters, or `nil` if there is nothing to change.
    ///
    /// - Parameters:
    ///   - changes: The changes by key.
    ///   - lost: Increases by the number of values lost because their new key is in use.
    fileprivate func rewritten(_ changes: [ParameterKey: KeyChange], _ lost: inout Int) -> EventParameters? {
        guard contains(where: { changes[$0.key] != nil || $0.value.isRewritten(changes) }) else { return nil }
        var result = EventParameters()
        for parameter in self {
            let (key, value) = (parameter.key, parameter.value.rewritten(changes, &lost))
            switch changes[key] {
            case nil: result[key] = value
            case .remove: break
            case .rename(let new):
                if isFree(new, in: result, changes) { result[new] = value } else { lost += 1 }
            case .copy(let new):
                result[key] = value
                if isFree(new, in: result, changes) { result[new] = value }
            }
        }
        return result
    }

    /// Whether neither a parameter that keeps its key nor an earlier renamed one has a key.
    private func isFree(_ key: ParameterKey, in result: EventParameters, _ changes: [ParameterKey: KeyChange]) -> Bool {
        guard result[key] == nil else { return false }
        return switch changes[key] {
        case nil, .copy: self[key] == nil
        case .remove, .rename: true
        }
    }
}

extension ParameterValue {
    fileprivate func isRewritten(_ changes: [ParameterKey: KeyChange]) -> Bool {
        switch self {
        case .object(let members): members.contains { changes[$0.key] != nil || $0.value.isRewritten(changes) }
        case .array(let elements): elements.contains { $0.isRewritten(changes) }
        case .string, .int, .double, .bool: false
        }
    }

    fileprivate func rewritten(_ changes: [ParameterKey: KeyChange], _ lost: inout Int) -> ParameterValue {
        switch self {
        case .object(let members): .object(members.rewritten(changes, &lost) ?? members)
        case .array(let elements): .array(elements.map { $0.rewritten(changes, &lost) })
        case .string, .int, .double, .bool: self
        }
    }
}
