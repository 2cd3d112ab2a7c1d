/// A flying thing that goes where it is told to.
protocol Steering: FlyingThing {
    /// Sets its velocity.
    func steer(_ velocity: SFVector)
}
