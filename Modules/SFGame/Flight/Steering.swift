/// A flying thing that goes where it is told to.
public protocol Steering: FlyingThing {
    /// Sets its velocity.
    func steer(_ velocity: SFVector)
}
