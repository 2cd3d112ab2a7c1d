import EventDelivery

/// Waits at the end of a run until everything has been delivered, or nothing more can be for now.
@MainActor
struct Drain {
    /// How long the receivers may take nothing before they count as down.
    private static let patience: Duration = .seconds(5)
    /// What is left for delivery once a signal has come.
    private static let grace: Duration = .seconds(2)
    /// What is left for an attempt while the receivers are known to be down.
    private static let attempt: Duration = .milliseconds(500)

    /// The live parts.
    let tracking: LiveTracking
    /// Where progress is shown.
    let console: Console
    /// What cuts the wait short.
    let interruption: Interruption

    /// Delivers what can be delivered.
    func run(isOffline: Bool) async {
        if isOffline { return _ = await tracking.engine.flush(deadline: Drain.attempt) }
        var lastProgress = ContinuousClock.now
        while true {
            if interruption.isRaised { return _ = await tracking.engine.flush(deadline: Drain.grace) }
            let report = await tracking.engine.flush(deadline: .milliseconds(500))
            if report.isDrained || !report.lanes.contains(where: \.mayMove) { return }
            if report.lanes.contains(where: { $0.delivered > 0 }) { lastProgress = .now }
            guard lastProgress.duration(to: .now) < Drain.patience else { return }
            console.progress("delivering, \(report.lanes.reduce(0) { $0 + $1.pending }) events pending")
            if !report.lanes.contains(where: { $0.outcome == .deadlinePassed }) {
                // All lanes wait longer than the flush did, which therefore ended at once.
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}

extension FlushReport.Lane {
    /// Whether waiting may deliver more of the lane.
    fileprivate var mayMove: Bool { outcome == .deadlinePassed || outcome == .waiting }
}
