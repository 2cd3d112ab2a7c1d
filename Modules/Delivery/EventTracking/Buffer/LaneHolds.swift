import CoreTracker
import Locks

/// The reasons for holding a lane.
///
/// It is written under the lock of ``BufferLanes``. The lane's runner reads it before each request.
package final class LaneHolds: Sendable {
    private let state: Mutex<Set<HoldReason>>

    /// - Parameter reasons: The reasons that apply to all lanes.
    package init(_ reasons: Set<HoldReason> = []) {
        state = Mutex(reasons)
    }

    /// The reasons, or an empty set if the lane may send.
    package var reasons: Set<HoldReason> { state.withLock { $0 } }

    /// Whether the lane may send.
    package var isEmpty: Bool { state.withLock { $0.isEmpty } }

    func change(_ body: (inout Set<HoldReason>) -> Void) {
        state.withLock { body(&$0) }
    }
}
