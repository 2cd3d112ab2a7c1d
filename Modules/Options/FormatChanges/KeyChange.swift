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
    func rewriting(_ changes: [ParameterKey: KeyChange]) -> MiddlewareResult {
        var lost = 0
        let parameters = parameters.rewritten(changes, &lost)
        let defaults = defaults.rewritten(changes, &lost)
        let changesRemovals = removedTraits.contains { changes[$0] != nil }
        guard parameters != nil || defaults != nil || changesRemovals else { return .keep }
        var event = self
        event.parameters = parameters ?? self.parameters
        event.defaults = defaults ?? self.defaults
        event.removedTraits = event.removals(after: changes)
        return .change(event, lostValues: lost)
    }

    /// Returns the changed names of the removed traits, without those that the changed update sets.
    private func removals(after changes: [ParameterKey: KeyChange]) -> [ParameterKey] {
        var traits = parameters
        if update == .group, case .object(let members) = parameters["traits"] { traits = members }
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
