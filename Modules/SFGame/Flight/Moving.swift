/// A flying thing that has a velocity.
public protocol Moving: FlyingThing {
    /// How fast it flies, in cells a second.
    var velocity: SFVector { get }
    /// Flies for a while.
    func advance(by seconds: Double)
}
