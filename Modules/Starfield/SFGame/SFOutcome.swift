public import CoreTracker

/// A result of a game.
public enum SFOutcome: String, ParameterRepresentable, Hashable, CaseIterable {
    /// All enemies are destroyed.
    case won
    /// The player has no lives left.
    case lost
    /// The maximum number of steps was played.
    case timeUp = "time_up"
}
