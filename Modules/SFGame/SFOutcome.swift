public import CoreTracker

/// How a game ended.
public enum SFOutcome: String, ParameterRepresentable, Hashable, CaseIterable {
    /// No enemy is left.
    case won
    /// The player has no life left.
    case lost
    /// The last step was played.
    case timeUp = "time_up"
}
