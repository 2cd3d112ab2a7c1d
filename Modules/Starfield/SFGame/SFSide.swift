public import CoreTracker

/// A side in a fight.
public enum SFSide: String, ParameterRepresentable, Hashable, CaseIterable {
    /// The player's ship.
    case player
    /// All other ships.
    case enemy
}
