/// A change of the app's state that affects delivery.
public enum AppSignal: Sendable, Hashable {
    /// The app has left the foreground.
    ///
    /// The system may suspend it soon.
    case enteredBackground
    /// The app is about to enter the foreground.
    case enteringForeground
    /// The app is active: the user sees it and can interact with it.
    ///
    /// Further signals without `enteredBackground` in between, such as after a system dialog, change nothing.
    case becameActive
    /// The network is usable again, or the user has signed in to a captive portal.
    case networkReturned
    /// The device was unlocked for the first time since its start, so files can be read.
    case protectedDataBecameAvailable
}
