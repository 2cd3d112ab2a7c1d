import CoreTracker
import EventTracking
import Locks

/// The lanes that an engine holds while a condition is met.
final class ConditionHolds: Sendable {
    private struct State {
        /// The lanes to hold for each condition.
        ///
        /// `nil` stands for all lanes.
        var lanes: [HoldReason: Set<LaneID?>] = [:]
        /// The conditions that are met.
        var met: Set<HoldReason> = []
    }

    private let engine: DeliveryEngine
    private let state = Mutex(State())

    init(_ engine: DeliveryEngine) {
        self.engine = engine
    }

    /// Holds lanes from now on if any of the conditions is met.
    func add(_ lanes: Set<LaneID>?, _ conditions: Set<HoldReason>) {
        state.withLock { state in
            for condition in conditions {
                let added = lanes.map { Set($0.map(Optional.some)) } ?? [nil]
                state.lanes[condition, default: []].formUnion(added)
                if state.met.contains(condition) { for lane in added { engine.hold(lane, reason: condition) } }
            }
        }
    }

    /// Holds or releases the lanes of a condition.
    ///
    /// The lock keeps the order of the updates.
    func update(_ condition: HoldReason, isMet: Bool) {
        state.withLock { state in
            let wasMet = state.met.contains(condition)
            guard wasMet != isMet else { return }
            if isMet { state.met.insert(condition) } else { state.met.remove(condition) }
            for lane in state.lanes[condition] ?? [] {
                if isMet { engine.hold(lane, reason: condition) } else { engine.release(lane, reason: condition) }
            }
        }
    }
}
