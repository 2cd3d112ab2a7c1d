import CoreTracker
import Locks

/// The limits in effect, which are read at each call of `track` and change rarely.
///
/// Each change increments ``version``. A shard of the event buffer keeps a reference to the table, and reads it again
/// only if the version has changed. Calls therefore share no lock.
package final class CurrentLimits: Sendable {
    private struct State {
        var configuration = TrackLimits.none
        var names: NameRates?
        var document: RemoteLimits?
        /// Whether the document is stored, or there is none.
        var isStored = true
        var table: LimitTable?
    }

    private let state = Mutex(State())
    /// The number of changes.
    private let changes = Atomic<Int>(0)

    init() {}

    /// The number of changes of the limits, which is 0 if there have never been any.
    ///
    /// Reading it takes no lock.
    var version: Int { changes.load(ordering: .acquiring) }

    /// The limits for new events, or `nil` if there are none, with their version.
    var frozen: (table: LimitTable?, version: Int) {
        state.withLock { ($0.table, changes.load(ordering: .relaxed)) }
    }

    /// The document in effect, if it is not stored yet.
    package var unstored: RemoteLimits? { state.withLock { $0.isStored ? nil : $0.document } }

    /// Applies the limits of the configuration, where the document has none.
    func configure(_ limits: TrackLimits) {
        change { state in
            guard state.configuration != limits else { return false }
            state.configuration = limits
            state.names = limits.eventsPerMinute.map(NameRates.init(maximum:))
            return true
        }
    }

    /// Applies an accepted document instead of the last one.
    func accept(_ document: RemoteLimits) {
        change { state in
            // The same document neither restarts counts nor is stored again.
            guard state.document != document else { return false }
            (state.document, state.isStored) = (document, false)
            return true
        }
    }

    /// Applies the stored document, unless this process has a later one.
    ///
    /// - Parameter document: The stored document. If it is `nil`, the document of this process must be stored.
    package func restore(_ document: RemoteLimits?) {
        change { state in
            guard let document else {
                state.isStored = state.document == nil
                return false
            }
            guard state.isStored, state.document != document else { return false }
            state.document = document
            return true
        }
    }

    /// Records that a document is stored.
    ///
    /// - Parameter document: The document, which may no longer be the one in effect.
    package func recordStored(_ document: RemoteLimits) {
        state.withLock { if $0.document == document { $0.isStored = true } }
    }

    private func change(_ body: (inout State) -> Bool) {
        state.withLock { state in
            guard body(&state) else { return }
            state.table = LimitTable(
                state.document,
                over: state.configuration,
                names: state.names,
                after: state.table
            )
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }
}

extension DeliveryEngine {
    /// Applies an accepted document, then stores it.
    ///
    /// - Parameter document: The document.
    /// - Throws: The reason if the document is not stored.
    package func setLimits(_ document: RemoteLimits) async throws(OutboxError) {
        buffer.setLimits(document)
        guard let engine = open else { throw .notOpen }
        try await engine.openedStore.storeLimits()
    }
}

extension EventBuffer {
    /// Applies an accepted document, also for buffered events.
    ///
    /// - Parameter document: The document.
    func setLimits(_ document: RemoteLimits) {
        limits.accept(document)
        dropLimited()
    }

    /// Drops and counts buffered events switched off or not sampled under the limits in effect.
    ///
    /// If a call of `track` has not seen the limits, it still holds its shard's lock, so its event is found too. Rates
    /// apply to new events only.
    ///
    /// - Parameter deviceID: The installation's id of events tracked before the opening, or an empty text if it is not
    ///   known yet.
    package func dropLimited(deviceID: String = "") {
        guard let table = limits.frozen.table else { return }
        for reason in [DropReason.switchedOff, .sampledOut] {
            let removed = withLanes { lanes in
                remove(reason) { event in
                    let identity = identity.completed(event.identity.identity, deviceID: deviceID)
                    return table.refusal(of: event.name, on: lanes.lanes[event.lane].id, identity) == reason
                }
            }
            giveUp(removed, reason)
        }
    }
}
