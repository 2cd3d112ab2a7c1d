/// A background task, which the system lets run after an app has left the foreground.
///
/// Contract: `run` requests the time before it returns, and never blocks. If the time expires, the task of the work is
/// cancelled, and the time is ended at once. Otherwise it is ended when the work is complete. It is ended exactly once.
public protocol BackgroundTask: Sendable {
    /// Runs work as long as the system allows.
    ///
    /// - Parameter work: The work, which is cancelled if the time expires.
    func run(_ work: @escaping @Sendable () async -> Void)
}
