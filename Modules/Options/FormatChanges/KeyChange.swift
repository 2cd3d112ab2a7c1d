import CoreTracker
import EventDelivery

/// A change of one parameter.
enum KeyChange {
    case remove
    case rename(to: ParameterKey)
    case copy(to: ParameterKey)

    /// Returns the keys of a parameter after the change.
    fileprivate func keys(of key: ParameterKey) -> [ParameterKey] {
        switch self {
        case .remove: []
        case .rename(let new): [new]
        case .copy(let new): [key, new]
        }
    }
}

extension OutgoingEvent {
    /// Returns the result of changing the parameters and defaults, at all levels, and the names of removed traits.
    ///
    /// An alias and the id of a group stay, because their keys are the form of the update.
    func rewriting(_ changes: [ParameterKey: KeyChange]) -> MiddlewareResult {
        guard update != .alias else { return .keep }
        var lost = 0
        let own = ownParameters
        let changedOwn = own.rewritten(changes, &lost) { defaults.keeps($0, changes) }
        let changedDefaults = defaults.rewritten(changes, &lost, hiddenBy: own) { (changedOwn ?? own)[$0] != nil }
        let changesRemovals = removedTraits.contains { changes[$0] != nil }
        guard changedOwn != nil || changedDefaults != nil || changesRemovals else { return .keep }
        var event = self
        if let changedOwn { event.ownParameters = changedOwn }
        event.defaults = changedDefaults ?? defaults
        event.removedTraits = event.removals(after: changes)
        return .change(event, lostValues: lost)
    }

    /// The parameters whose keys the app has chosen: those of an event or of a user, or the traits of a group.
    private var ownParameters: EventParameters {
        get {
            guard update == .group else { return parameters }
            if case .object(let traits) = parameters["traits"] { return traits }
            return EventParameters()
        }
        set {
            if update == .group { parameters["traits"] = .object(newValue) } else { parameters = newValue }
        }
    }

    /// Returns the changed names of the removed traits, without those that the changed update sets.
    private func removals(after changes: [ParameterKey: KeyChange]) -> [ParameterKey] {
        let traits = ownParameters
        var names: [ParameterKey] = []
        for key in removedTraits {
            for name in changes[key]?.keys(of: key) ?? [key] where traits[name] == nil && !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }
}

extension EventParameters {
    /// Returns the changed parameters, or `nil` if there is nothing to change.
    ///
    /// - Parameters:
    ///   - changes: The changes by key.
    ///   - lost: Increases by the number of values lost because their new key is in use.
    ///   - own: The parameters that override these. A value that they override is not lost.
    ///   - isInUse: Whether a new key is in use beside these parameters.
    fileprivate func rewritten(
        _ changes: [ParameterKey: KeyChange],
        _ lost: inout Int,
        hiddenBy own: EventParameters = [:],
        isInUse: (ParameterKey) -> Bool = { _ in false }
    ) -> EventParameters? {
        guard contains(where: { changes[$0.key] != nil || $0.value.isRewritten(changes) }) else { return nil }
        var result = EventParameters()
        func isFree(_ key: ParameterKey) -> Bool { result[key] == nil && !keeps(key, changes) && !isInUse(key) }
        for parameter in self {
            let (key, value) = (parameter.key, parameter.value.rewritten(changes, &lost))
            switch changes[key] {
            case nil: result[key] = value
            case .remove: break
            case .rename(let new):
                if isFree(new) {
                    result[new] = value
                } else if own[key] == nil {
                    lost += 1
                }
            case .copy(let new):
                result[key] = value
                if isFree(new) { result[new] = value }
            }
        }
        return result
    }

    /// Whether a parameter has a key, and keeps it.
    fileprivate func keeps(_ key: ParameterKey, _ changes: [ParameterKey: KeyChange]) -> Bool {
        switch changes[key] {
        case nil, .copy: self[key] != nil
        case .remove, .rename: false
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
