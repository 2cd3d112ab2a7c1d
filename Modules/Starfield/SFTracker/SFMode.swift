public import CoreTracker

/// The mode in which a game of Starfield is played.
public enum SFMode: String, ParameterRepresentable, Hashable, CaseIterable {
    /// A person plays with a keyboard.
    case keyboard
    /// The game plays itself on screen.
    case selfPlay = "self_play"
    /// The game plays itself without a display.
    case headless
}
