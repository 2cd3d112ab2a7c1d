package import CoreTracker
import Locks

/// The rules by which an option drops new events.
package protocol EventAdmission: Sendable {
    /// Returns the reason to drop an event, or `nil` to accept it.
    ///
    /// It is called under a lock of the buffer, so it must neither wait nor call the engine.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - lane: The event's lane.
    ///   - identity: The event's identity. Its installation may not be known yet.
    ///   - now: The time at which the event counts towards a rate, or `nil` to ignore rates.
    func refusal(
        of name: String,
        on lane: LaneID,
        _ identity: Identity,
        countedAt now: MonotonicInstant?
    ) -> DropReason?
}

/// The rules in effect, which are read at each call of `track` and change rarely.
///
/// Each change increments ``version``. A shard of the event buffer keeps a reference to the rules, and reads it again
/// only if the version has changed. Calls therefore share no lock.
package final class CurrentAdmission: Sendable {
    private let rules = Mutex<(any EventAdmission)?>(nil)
    private let changes = Atomic(0)

    init() {}

    /// The number of changes of the rules, which is 0 if there have never been any.
    ///
    /// Reading it takes no lock.
    package var version: Int { changes.load(ordering: .acquiring) }

    /// The rules for new events, or `nil` if there are none, with their version.
    package var frozen: (rules: (any EventAdmission)?, version: Int) {
        rules.withLock { ($0, changes.load(ordering: .relaxed)) }
    }

    /// Replaces the rules.
    package func use(_ rules: (any EventAdmission)?) {
        self.rules.withLock { known in
            known = rules
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }
}
