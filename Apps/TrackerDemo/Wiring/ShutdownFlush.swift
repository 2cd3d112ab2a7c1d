import EventDelivery

/// The final flush of a run, which waits until everything is delivered or no more can be delivered for now.
@MainActor
struct ShutdownFlush {
    /// The time without a delivery after which the receivers count as down.
    private static let patience: Duration = .seconds(5)
    /// The time for delivery after a signal.
    private static let grace: Duration = .seconds(2)
    /// The time for an attempt while the receivers are known to be down.
    private static let attempt: Duration = .milliseconds(500)

    /// The engine and the other live parts.
    let tracking: LiveTracking
    /// The console for the progress line.
    let console: Console
    /// The signal that shortens the wait.
    let interruption: Interruption

    /// Delivers as many events as possible.
    func run(isOffline: Bool) async {
        if isOffline { return _ = await tracking.engine.flush(deadline: ShutdownFlush.attempt) }
        var lastProgress = ContinuousClock.now
        while true {
            if interruption.isRaised { return _ = await tracking.engine.flush(deadline: ShutdownFlush.grace) }
            let report = await tracking.engine.flush(deadline: .milliseconds(500))
            if report.isDrained || !report.lanes.contains(where: \.mayMove) { return }
            if report.lanes.contains(where: { $0.delivered > 0 }) { lastProgress = .now }
            guard lastProgress.duration(to: .now) < ShutdownFlush.patience else { return }
            console.progress("delivering, \(report.lanes.reduce(0) { $0 + $1.pending }) events pending")
            if !report.lanes.contains(where: { $0.outcome == .deadlinePassed }) {
                // All lanes wait longer than the flush, which therefore returned at once.
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}

extension FlushReport.Lane {
    /// Whether more events of the lane may be delivered by waiting.
    fileprivate var mayMove: Bool { outcome == .deadlinePassed || outcome == .waiting }
}
