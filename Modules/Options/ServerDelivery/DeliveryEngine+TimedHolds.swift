public import CoreTracker
public import EventTracking

/// Holds with an end.
extension DeliveryEngine {
    /// Holds a lane between two times, such as the start and the end of announced maintenance.
    ///
    /// It returns when the hold has ended. If the calling task is cancelled, the hold ends at once. If two holds with
    /// the same reason overlap, the first one to end releases the lane.
    ///
    /// - Parameters:
    ///   - lane: The lane, or `nil` for all lanes.
    ///   - reason: The reason. Give holds that overlap different reasons.
    ///   - start: The start of the hold. If it has passed, the hold begins at once.
    ///   - end: The end of the hold. If it has passed, there is no hold.
    public func hold(
        _ lane: LaneID? = nil,
        reason: HoldReason = .maintenance,
        from start: Timestamp,
        until end: Timestamp
    ) async {
        guard await wait(until: start), buffer.clock.wallTime() < end else { return }
        hold(lane, reason: reason)
        _ = await wait(until: end)
        release(lane, reason: reason)
    }

    /// Waits for a wall time, in steps of a minute at most, because the clock can be changed.
    ///
    /// - Returns: `false` if the task was cancelled.
    private func wait(until time: Timestamp) async -> Bool {
        let clock = buffer.clock
        while true {
            let (microseconds, overflow) = time.microseconds.subtractingReportingOverflow(clock.wallTime().microseconds)
            guard overflow || microseconds > 0 else { return true }
            let minute = Duration.seconds(60)
            let step = overflow ? minute : min(Duration.microseconds(microseconds), minute)
            guard (try? await clock.sleep(until: clock.monotonicTime().advanced(by: step))) != nil else { return false }
        }
    }
}
