import CoreTracker

/// The names that the game's events share.
extension ParameterKey {
    /// How many enemies there are.
    static let enemies: ParameterKey = "enemies"
    /// The level, from 1; Firebase's name too.
    static let level: ParameterKey = "level"
    /// How many lives are left.
    static let lives: ParameterKey = "lives"
    /// How a game ended.
    static let outcome: ParameterKey = "outcome"
    /// The player's points; Firebase's name too.
    static let score: ParameterKey = "score"
    /// Whose ship it is.
    static let side: ParameterKey = "side"
    /// How many steps were played.
    static let steps: ParameterKey = "steps"
}
