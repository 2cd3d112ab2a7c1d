public import CoreTracker

/// The two sides of a fight.
public enum SFSide: String, ParameterRepresentable, Hashable, CaseIterable {
    /// The one ship that is played.
    case player
    /// All others.
    case enemy
}
