public import CoreTracker
public import EventBuffer

/// A step between tracking and encoding, which can change, enrich or drop each event.
///
/// The engine calls the list of `DeliveryConfiguration.middleware` in its order, once for each lane of an event, before
/// the destination encodes the event. This happens on the writer's thread, and never on that of the caller of `track`.
/// Sensitive values have already been replaced or removed, as their policies require for the destination's purpose.
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
    /// - Returns: What to do with the event.
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
    /// The event is dropped and counted.
    case drop
}

extension DropReason {
    /// Returns the reason for an event that a middleware dropped.
    ///
    /// - Parameter name: The middleware's name.
    /// - Returns: The reason.
    public static func middleware(_ name: String) -> DropReason { DropReason(middlewarePrefix + name) }
}

extension EventMiddleware {
    /// Returns a middleware that does the same on some lanes, and keeps the events of all others.
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
/// If an event has both keys already, the value of the new one stays.
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
        changes = names.mapValues { keepsOld ? .copy(to: $0) : .rename(to: $0) }
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
        let parameters = parameters.rewritten(changes)
        let defaults = defaults.rewritten(changes)
        guard parameters != nil || defaults != nil else { return .keep }
        var event = self
        event.parameters = parameters ?? self.parameters
        event.defaults = defaults ?? self.defaults
        return .change(event)
    }
}

extension EventParameters {
    /// Returns the changed parameters, or `nil` if there is nothing to change.
    fileprivate func rewritten(_ changes: [ParameterKey: KeyChange]) -> EventParameters? {
        guard contains(where: { changes[$0.key] != nil || $0.value.isRewritten(changes) }) else { return nil }
        var result = EventParameters()
        for parameter in self {
            let (key, value) = (parameter.key, parameter.value.rewritten(changes))
            switch changes[key] {
            case nil: result[key] = value
            case .remove: break
            case .rename(let new): if self[new] == nil { result[new] = value }
            case .copy(let new):
                result[key] = value
                if self[new] == nil { result[new] = value }
            }
        }
        return result
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

    fileprivate func rewritten(_ changes: [ParameterKey: KeyChange]) -> ParameterValue {
        switch self {
        case .object(let members): .object(members.rewritten(changes) ?? members)
        case .array(let elements): .array(elements.map { $0.rewritten(changes) })
        case .string, .int, .double, .bool: self
        }
    }
}
