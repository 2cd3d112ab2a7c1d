/// A character of the game.
///
/// The game uses characters through this protocol and the capabilities ``Moving``, ``Living``, ``Steering``,
/// ``Shooting`` and ``Colliding``. It never casts a character to a concrete type. `GameTests` checks this with a type
/// unknown to the game.
protocol GameObject: AnyObject {
    /// The position, in cells.
    var position: SFVector { get }
    /// Whether the character still takes part.
    ///
    /// If `false`, the game removes the character.
    var isFlying: Bool { get }
    /// Adds the character to the lists of its capabilities.
    ///
    /// - Parameter roster: The lists of the game's characters.
    func register(in roster: inout Roster)
}

/// A character with a velocity.
protocol Moving: GameObject {
    /// The velocity, in cells per second.
    var velocity: SFVector { get }
    /// Moves the character.
    ///
    /// - Parameter seconds: The duration of the move, in seconds.
    func advance(by seconds: Double)
}

/// A character with lives.
protocol Living: GameObject {
    /// The number of remaining lives, from 0.
    var lives: Int { get }
}

/// A character whose velocity the game can set.
protocol Steering: GameObject {
    /// Sets the character's velocity.
    ///
    /// - Parameter velocity: The velocity, in cells per second.
    func steer(_ velocity: SFVector)
}

/// A character that can shoot.
protocol Shooting: GameObject {
    /// The character's side.
    var side: SFSide { get }
    /// Fires a bullet.
    ///
    /// - Returns: The bullet, or `nil` if the character cannot shoot at this moment.
    func shoot() -> (any GameObject)?
}

/// A character that can collide with others.
protocol Colliding: GameObject {
    /// The character's side.
    ///
    /// Characters of the same side do not collide.
    var side: SFSide { get }
    /// The radius of the character, in cells.
    var radius: Double { get }
    /// Applies the effects of a collision to this character.
    ///
    /// - Returns: The moments to report, in order.
    func collide() -> [GameMoment]
}

/// The characters of a game, with one list for each capability to avoid casts.
struct Roster {
    /// All characters.
    var flying: [any GameObject] = []
    /// The characters with a velocity.
    var moving: [any Moving] = []
    /// The characters with lives.
    var living: [any Living] = []
    /// The ``Shooting`` characters.
    var shooting: [any Shooting] = []
    /// The ``Colliding`` characters.
    var colliding: [any Colliding] = []

    /// Creates an empty roster.
    init() {}

    /// Adds a character to the lists of its capabilities.
    ///
    /// - Parameter object: The character.
    mutating func add(_ object: any GameObject) {
        object.register(in: &self)
    }

    /// Removes the characters that no longer take part.
    mutating func removeGone() {
        flying.removeAll { !$0.isFlying }
        moving.removeAll { !$0.isFlying }
        living.removeAll { !$0.isFlying }
        shooting.removeAll { !$0.isFlying }
        colliding.removeAll { !$0.isFlying }
    }
}
