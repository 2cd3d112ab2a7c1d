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

/// A reason why a tracker does not receive a call or an event.
public enum TrackerSkipReason: String, Sendable, Hashable, CaseIterable {
    /// No tracker of the type is registered.
    case notRegistered
    /// The tracker is registered but not enabled.
    case disabled
    /// The tracker's type does not conform to the capability that the call needs.
    case noCapability
    /// The user has denied consent.
    case noConsent
    /// The event is for other vendors.
    ///
    /// This is not a loss and is never counted.
    case notAddressed
}

/// A lock-free counter of the calls and events that trackers did not receive, by reason.
struct SkipCounter: ~Copyable, Sendable {
    private let notRegistered = Atomic<Int>(0)
    private let disabled = Atomic<Int>(0)
    private let noCapability = Atomic<Int>(0)
    private let noConsent = Atomic<Int>(0)

    /// Adds to the count of a reason.
    ///
    /// `notAddressed` is not a loss and is not counted.
    func add(_ reason: TrackerSkipReason, count: Int = 1) {
        switch reason {
        case .notRegistered: notRegistered.wrappingAdd(count, ordering: .relaxed)
        case .disabled: disabled.wrappingAdd(count, ordering: .relaxed)
        case .noCapability: noCapability.wrappingAdd(count, ordering: .relaxed)
        case .noConsent: noConsent.wrappingAdd(count, ordering: .relaxed)
        case .notAddressed: break
        }
    }

    /// The counts that are not zero.
    var counts: [TrackerSkipReason: Int] {
        let counts: [TrackerSkipReason: Int] = [
            .notRegistered: notRegistered.load(ordering: .relaxed),
            .disabled: disabled.load(ordering: .relaxed),
            .noCapability: noCapability.load(ordering: .relaxed),
            .noConsent: noConsent.load(ordering: .relaxed),
        ]
        return counts.filter { $0.value != 0 }
    }
}

/// An explanation of whether a tracker would receive a call or an event, at the time of asking.
public struct TrackerExplanation: Sendable, Hashable {
    /// The tracker's type.
    public let type: TrackerType
    /// The reason the tracker would not receive it, or `nil` if it would.
    public let skipReason: TrackerSkipReason?

    /// Creates an explanation.
    ///
    /// - Parameters:
    ///   - type: The tracker's type.
    ///   - skipReason: The reason the tracker would not receive the call or event, or `nil` if it would.
    public init(type: TrackerType, skipReason: TrackerSkipReason? = nil) {
        self.type = type
        self.skipReason = skipReason
    }

    /// Whether the tracker would receive the call or event.
    public var isTracked: Bool { skipReason == nil }
}

extension TrackerExplanation: CustomStringConvertible {
    public var description: String { "\(type): \(skipReason?.rawValue ?? "tracked")" }
}
