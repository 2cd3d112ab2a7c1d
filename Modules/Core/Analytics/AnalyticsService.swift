/// A service that records the steps of a user's path through the app.
///
/// Contract: `send` may be called from any thread, and from inside another call of `send`. It returns without waiting
/// for the disk or the network, and does not throw.
public protocol AnalyticsService: Sendable {
    /// Records a step.
    ///
    /// - Parameter event: The step.
    func send(event: Journey.Event)
}
