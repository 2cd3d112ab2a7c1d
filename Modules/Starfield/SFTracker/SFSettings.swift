public import CoreTracker

/// The settings of Starfield's app, which can change while it runs.
public struct SFSettings: Sendable, Hashable {
    /// The mode in which the game is played.
    public var mode: SFMode

    /// Creates settings.
    ///
    /// - Parameter mode: The mode in which the game is played.
    public init(mode: SFMode = .keyboard) {
        self.mode = mode
    }

    /// The settings of the running app.
    ///
    /// ``SFTracker`` reads their default parameters on each call of `track(_:)`.
    ///
    /// Starfield shares two instances in a process: this one and `DeliveryEngine.shared`. The app changes the settings
    /// with `SFSettings.current.update { $0.mode = .headless }`. A test passes separate settings to
    /// ``SFTracker/init(on:settings:vendorService:)``.
    public static let current = ProductSettings(SFSettings()) { $0.awesomeTrackingDefaults }
}

/// The mode in which a game of Starfield is played.
public enum SFMode: String, ParameterRepresentable, Hashable, CaseIterable {
    /// A person plays with a keyboard.
    case keyboard
    /// The game plays itself on screen.
    case selfPlay = "self_play"
    /// The game plays itself without a display.
    case headless
}
