/// What a pilot wants the player's ship to do in the next step.
public struct SFOrder: Sendable, Hashable {
    /// Where to fly: each coordinate from -1 to 1, in shares of full speed; what lies outside is clamped.
    public var heading: SFVector
    /// Whether to shoot.
    public var fires: Bool

    /// Creates an order.
    public init(heading: SFVector = .zero, fires: Bool = false) {
        self.heading = heading
        self.fires = fires
    }

    /// Neither moving nor shooting.
    public static let wait = SFOrder()

    /// The heading within its limits; a number that is none is 0.
    var clampedHeading: SFVector {
        SFVector(x: SFOrder.clamped(heading.x), y: SFOrder.clamped(heading.y))
    }

    private static func clamped(_ share: Double) -> Double {
        share.isNaN ? 0 : min(1, max(-1, share))
    }
}
