/// The two sides of a fight.
public enum SFSide: String, Sendable, Hashable, CaseIterable {
    /// The one ship that is played.
    case player
    /// All others.
    case enemy
}
