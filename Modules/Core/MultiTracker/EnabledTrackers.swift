public import CoreTracker
import Locks

/// A selection of the registered trackers that are called.
public enum EnabledTrackers: Sendable, Hashable {
    /// All registered trackers except the given types.
    case all(except: Set<TrackerType>)
    /// The given types only.
    case only(Set<TrackerType>)

    /// Whether a tracker of a type is called.
    ///
    /// - Parameter type: The tracker's type.
    /// - Returns: Whether the tracker is called.
    public func contains(_ type: TrackerType) -> Bool {
        switch self {
        case .all(let exceptions): !exceptions.contains(type)
        case .only(let types): types.contains(type)
        }
    }

    /// Adds a type to the selection.
    ///
    /// - Parameter type: The tracker's type.
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

    /// Removes a type from the selection.
    ///
    /// - Parameter type: The tracker's type.
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
    /// Creates a selection of the listed types only, such as `[.braze, .adobe]`.
    ///
    /// - Parameter types: The types of the enabled trackers.
    public init(arrayLiteral types: TrackerType...) {
        self = .only(Set(types))
    }
}
