public import CoreTracker
import Locks

/// An explanation of whether a tracker would receive a call or an event, at the time of asking.
public struct TrackerExplanation: Sendable, Equatable {
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
