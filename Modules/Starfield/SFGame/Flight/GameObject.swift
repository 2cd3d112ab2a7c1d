/// A character of the game.
///
/// The game uses characters through this protocol and the capabilities ``Moving``, ``Living``, ``Steering``,
/// ``Shooting`` and ``Colliding``. It never casts a character to a concrete type. `GameTests` checks this with a type
/// that the game does not know.
public protocol GameObject: AnyObject {
    /// The position, in cells.
    var position: SFVector { get }
    /// Whether the character still takes part.
    ///
    /// The game removes characters that do not.
    var isFlying: Bool { get }
    /// Adds the character to the lists of its capabilities.
    ///
    /// - Parameter roster: The lists of the game's characters.
    func register(in roster: inout Roster)
}
