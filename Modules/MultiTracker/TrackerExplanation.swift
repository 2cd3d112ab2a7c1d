public import CoreTracker

/// The answer to "would this tracker get it, and if not, why?", as it stands at the moment of asking.
public struct TrackerExplanation: Sendable, Hashable {
    /// The tracker's type.
    public let type: TrackerType
    /// Why the tracker would not get it; `nil` when it would.
    public let refusal: TrackerRefusal?

    /// Creates an answer.
    public init(type: TrackerType, refusal: TrackerRefusal? = nil) {
        self.type = type
        self.refusal = refusal
    }

    /// Whether the tracker would get it.
    public var isTracked: Bool { refusal == nil }
}

extension TrackerExplanation: CustomStringConvertible {
    public var description: String { "\(type): \(refusal?.rawValue ?? "tracked")" }
}
