public import CoreTracker

/// How a game of Starfield is played.
public enum SFMode: String, ParameterRepresentable, Hashable, CaseIterable {
    /// By a person at a keyboard.
    case keyboard
    /// By the game itself, in sight of a person.
    case selfPlay = "self_play"
    /// By the game itself, in sight of nobody.
    case headless
}
