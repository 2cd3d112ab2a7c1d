public import CoreTracker

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
