public import CoreTracker

/// Conditions under which lanes wait.
extension DeliveryEngine {
    /// Starts no further request of a lane until the lane is released.
    ///
    /// The call takes effect at once, even before the engine is open. A request in flight continues. The lane's events
    /// are stored as usual, and count towards the budget. A lane sends when it has been released from all reasons.
    /// Holds end with the process.
    ///
    /// ```swift
    /// engine.hold(reason: .expensiveNetwork)
    /// ```
    ///
    /// - Parameters:
    ///   - lane: The lane, or `nil` for all lanes, including lanes created later.
    ///   - reason: The reason. Holding a lane twice for the same reason has no further effect.
    public func hold(_ lane: LaneID? = nil, reason: HoldReason) {
        changeHolds(lane) { $0.insert(reason) }
    }

    /// Ends a hold.
    ///
    /// - Parameters:
    ///   - lane: The lane, or `nil` for all lanes, including lanes held by name.
    ///   - reason: The reason of the hold.
    public func release(_ lane: LaneID? = nil, reason: HoldReason) {
        changeHolds(lane) { $0.remove(reason) }
    }

    /// Holds a lane between two times, such as the start and the end of announced maintenance.
    ///
    /// It returns when the hold has ended. If the calling task is cancelled, the hold ends at once.
    ///
    /// - Parameters:
    ///   - lane: The lane, or `nil` for all lanes.
    ///   - reason: The reason.
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

    private func changeHolds(_ lane: LaneID?, _ change: (inout Set<HoldReason>) -> Void) {
        buffer.withLanes { $0.changeHolds(lane, change) }
        guard let engine = open else { return }
        buffer.runtime.task { await engine.openedStore.applyHolds() }
    }
}
