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

    private func changeHolds(_ lane: LaneID?, _ change: (inout Set<HoldReason>) -> Void) {
        buffer.withLanes { $0.changeHolds(lane, change) }
        guard let engine = open else { return }
        buffer.runtime.task { await engine.openedStore.applyHolds() }
    }
}
