/// An order of a pilot to the player's ship, for the next step.
public struct SFOrder: Sendable, Hashable {
    /// The direction and speed, as fractions of full speed from -1 to 1.
    ///
    /// Values outside of this range are clamped.
    public var heading: SFVector
    /// Whether the ship shoots.
    public var fires: Bool

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - heading: The direction and speed, as fractions of full speed from -1 to 1.
    ///   - fires: Whether the ship shoots.
    public init(heading: SFVector = .zero, fires: Bool = false) {
        self.heading = heading
        self.fires = fires
    }

    /// An order to stay in place and not to shoot.
    public static let wait = SFOrder()

    /// The heading, clamped to its range.
    ///
    /// A coordinate that is not a number becomes 0.
    var clampedHeading: SFVector {
        SFVector(x: SFOrder.clamped(heading.x), y: SFOrder.clamped(heading.y))
    }

    private static func clamped(_ share: Double) -> Double {
        share.isNaN ? 0 : min(1, max(-1, share))
    }
}
