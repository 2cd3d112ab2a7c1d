/// A service that takes the steps of users' ways through the app.
///
/// Contract: `send` may be called from any thread and from inside another call, returns without waiting for disk or
/// network, and does not throw.
public protocol AnalyticsService: Sendable {
    /// Takes a step as it is now.
    func send(event: Journey.Event)
}
