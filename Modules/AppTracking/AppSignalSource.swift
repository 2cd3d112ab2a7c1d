/// Where signals come from: the application's notifications, the network's path.
///
/// Contract: `start` is called once, and returns at once; the handler may be called from any thread, and for
/// `.enteredBackground` before the notification's own block returns, since the app may be suspended right after it.
/// After `stop` it is not called again.
public protocol AppSignalSource: Sendable {
    /// Calls the handler with each signal from now on.
    func start(_ handler: @escaping @Sendable (AppSignal) -> Void)
    /// Ends the calls.
    func stop()
}
