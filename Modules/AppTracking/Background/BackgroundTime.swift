/// The time that the system grants for work after an app has left the foreground.
///
/// Contract: `run` asks for the time before it returns, and never blocks. When the time is up, the task of the work is
/// cancelled and the time is given back at once; otherwise it is given back when the work has ended. It is given back
/// exactly once.
public protocol BackgroundTime: Sendable {
    /// Runs work for as long as the system allows.
    func run(_ work: @escaping @Sendable () async -> Void)
}
