/// A flying thing that can shoot.
public protocol Shooting: FlyingThing {
    /// Whose it is.
    var side: SFSide { get }
    /// Shoots; `nil` where it cannot at this moment.
    func shoot() -> (any FlyingThing)?
}
