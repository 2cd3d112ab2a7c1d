/// Something that happens to an app and that its delivery has to know of.
public enum AppSignal: Sendable, Hashable {
    /// The app has left the foreground; the system may suspend it soon.
    case enteredBackground
    /// The app comes to the foreground again.
    case enteringForeground
    /// The network can be used again after it could not, or the user has signed in to a captive portal.
    case networkReturned
    /// The device was unlocked for the first time since its start: files can be read from now on.
    case protectedDataBecameAvailable
}
