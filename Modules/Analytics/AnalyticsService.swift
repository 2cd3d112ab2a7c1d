/// A service that records the steps of a user's path through the app.
///
/// Contract: `send` may be called from any thread and from inside another call, returns without waiting for disk or
/// network, and does not throw.
public protocol AnalyticsService: Sendable {
    /// Records a step.
    func send(event: Journey.Event)
}
