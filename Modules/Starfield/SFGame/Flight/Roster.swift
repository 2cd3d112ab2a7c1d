/// The characters of a game, with one list for each capability to avoid casts.
public struct Roster {
    /// All characters.
    public var flying: [any GameObject] = []
    /// The characters that have a velocity.
    public var moving: [any Moving] = []
    /// The characters that have lives.
    public var living: [any Living] = []
    /// The characters that can shoot.
    public var shooting: [any Shooting] = []
    /// The characters that can collide.
    public var colliding: [any Colliding] = []

    /// Creates an empty roster.
    public init() {}

    /// Adds a character to the lists of its capabilities.
    ///
    /// - Parameter object: The character.
    public mutating func add(_ object: any GameObject) {
        object.register(in: &self)
    }

    /// Removes the characters that no longer take part.
    public mutating func removeGone() {
        flying.removeAll { !$0.isFlying }
        moving.removeAll { !$0.isFlying }
        living.removeAll { !$0.isFlying }
        shooting.removeAll { !$0.isFlying }
        colliding.removeAll { !$0.isFlying }
    }
}
