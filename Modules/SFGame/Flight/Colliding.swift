/// A flying thing that can run into another one.
public protocol Colliding: FlyingThing {
    /// Whose it is; things of one side fly through each other.
    var side: SFSide { get }
    /// How far it reaches around its position, in cells.
    var radius: Double { get }
    /// Takes the consequences of a collision, and answers what there is to tell of it.
    func collide() -> [GameMoment]
}
