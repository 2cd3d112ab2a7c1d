public import CoreTracker

/// Which of the registered trackers are called.
public enum EnabledTrackers: Sendable, Hashable {
    /// Every registered tracker but the named ones.
    case all(except: Set<TrackerType>)
    /// The named trackers and no other.
    case only(Set<TrackerType>)

    /// Whether a tracker of the given type is called.
    public func contains(_ type: TrackerType) -> Bool {
        switch self {
        case .all(let exceptions): !exceptions.contains(type)
        case .only(let types): types.contains(type)
        }
    }

    /// Adds a type to those that are called.
    public mutating func insert(_ type: TrackerType) {
        switch self {
        case .all(var exceptions):
            exceptions.remove(type)
            self = .all(except: exceptions)
        case .only(var types):
            types.insert(type)
            self = .only(types)
        }
    }

    /// Removes a type from those that are called.
    public mutating func remove(_ type: TrackerType) {
        switch self {
        case .all(var exceptions):
            exceptions.insert(type)
            self = .all(except: exceptions)
        case .only(var types):
            types.remove(type)
            self = .only(types)
        }
    }
}

extension EnabledTrackers: ExpressibleByArrayLiteral {
    /// Creates a selection of the listed trackers alone, `[.braze, .adobe]`.
    public init(arrayLiteral types: TrackerType...) {
        self = .only(Set(types))
    }
}
