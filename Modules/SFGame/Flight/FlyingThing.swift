/// A character of the game: it has a position, and takes part until it is gone.
///
/// The game uses characters by this protocol and by the capabilities ``Moving``, ``Living``, ``Steering``, ``Shooting``
/// and ``Colliding``. It never casts a character to a type; `GameTests` adds one of a type that the game does not know.
public protocol FlyingThing: AnyObject {
    /// The position, in cells.
    var position: SFVector { get }
    /// Whether the character still takes part.
    var isFlying: Bool { get }
    /// Adds the character to the list of each capability that it has.
    func enrol(in roster: inout Roster)
}
