import CoreTracker
import Locks

/// The quotas in effect, which are read at each call of `track` and change rarely.
///
/// Each change increments ``version``. A shard of the event buffer keeps a reference to the table, and reads it again
/// only if the version has changed. Calls therefore share no lock.
package final class CurrentQuotas: Sendable {
    private struct State {
        var configuration = TrackQuotas.none
        var names: NameRates?
        var document: RemoteQuotas?
        /// Whether the document is stored, or there is none.
        var isStored = true
        var table: QuotaTable?
    }

    private let state = Mutex(State())
    /// The number of changes.
    private let changes = Atomic<Int>(0)

    init() {}

    /// The number of changes of the quotas, which is 0 if there have never been any.
    ///
    /// Reading it takes no lock.
    var version: Int { changes.load(ordering: .acquiring) }

    /// The quotas for new events, or `nil` if there are none, with their version.
    var frozen: (table: QuotaTable?, version: Int) {
        state.withLock { ($0.table, changes.load(ordering: .relaxed)) }
    }

    /// The document in effect, if it is not stored yet.
    package var unstored: RemoteQuotas? { state.withLock { $0.isStored ? nil : $0.document } }

    /// Applies the quotas of the configuration, where the document has none.
    func configure(_ quotas: TrackQuotas) {
        change { state in
            guard state.configuration != quotas else { return false }
            state.configuration = quotas
            state.names = quotas.eventsPerMinute.map(NameRates.init(maximum:))
            return true
        }
    }

    /// Applies an accepted document instead of the last one.
    func accept(_ document: RemoteQuotas) {
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
    package func restore(_ document: RemoteQuotas?) {
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
    package func recordStored(_ document: RemoteQuotas) {
        state.withLock { if $0.document == document { $0.isStored = true } }
    }

    private func change(_ body: (inout State) -> Bool) {
        state.withLock { state in
            guard body(&state) else { return }
            state.table = QuotaTable(
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
    package func setQuotas(_ document: RemoteQuotas) async throws(OutboxError) {
        buffer.setQuotas(document)
        guard let engine = open else { throw .notOpen }
        try await engine.openedStore.storeQuotas()
    }
}

extension EventBuffer {
    /// Applies an accepted document, also for buffered events.
    ///
    /// - Parameter document: The document.
    func setQuotas(_ document: RemoteQuotas) {
        quotas.accept(document)
        dropBeyondQuotas()
    }

    /// Drops and counts buffered events switched off or not sampled under the quotas in effect.
    ///
    /// If a call of `track` has not seen the quotas, it still holds its shard's lock, so its event is found too. Rates
    /// apply to new events only, and no quota applies to updates of profiles.
    ///
    /// - Parameter deviceID: The installation's id of events tracked before the opening, or an empty text if it is not
    ///   known yet.
    package func dropBeyondQuotas(deviceID: String = "") {
        guard let table = quotas.frozen.table else { return }
        for reason in [DropReason.switchedOff, .sampledOut] {
            let removed = withLanes { lanes in
                remove(reason) { event in
                    guard event.update == nil else { return false }
                    let identity = identity.completed(event.identity.identity, deviceID: deviceID)
                    return table.refusal(of: event.name, on: lanes.lanes[event.lane].id, identity) == reason
                }
            }
            giveUp(removed, reason)
        }
    }
}
