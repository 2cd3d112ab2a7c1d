/// A source of signals, such as the application's notifications or the network's path.
///
/// Contract: `start` is called once, and returns at once. The handler may be called from any thread. For
/// `.enteredBackground` it is called before the notification's block returns, because the app may be suspended right
/// after it. After `stop` the handler is not called again.
public protocol AppSignalSource: Sendable {
    /// Starts calling the handler with each signal.
    ///
    /// - Parameter handler: Receives the signals, on any thread.
    func start(_ handler: @escaping @Sendable (AppSignal) -> Void)
    /// Stops calling the handler.
    func stop()
}
