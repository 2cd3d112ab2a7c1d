import EventTracking
import Locks

/// The quotas of an engine: those of its configuration, and the document in effect.
package final class CurrentQuotas: Sendable {
    private struct State {
        var configuration = TrackQuotas.none
        var names: NameRates?
        var document: RemoteQuotas?
        /// Whether the document is stored, or there is none.
        var isStored = true
        var table: QuotaTable?
    }

    /// The buffer, which owns the quotas.
    private unowned let buffer: EventBuffer
    private let state = Mutex(State())

    init(_ buffer: EventBuffer) {
        self.buffer = buffer
    }

    /// The document in effect, if it is not stored yet.
    package var unstored: RemoteQuotas? { state.withLock { $0.isStored ? nil : $0.document } }

    /// Applies the quotas of the configuration, where the document has none.
    package func configure(_ quotas: TrackQuotas) {
        change { state in
            guard state.configuration != quotas else { return false }
            state.configuration = quotas
            state.names = quotas.eventsPerMinute.map(NameRates.init(maximum:))
            return true
        }
    }

    /// Applies an accepted document instead of the last one, also to buffered events.
    package func accept(_ document: RemoteQuotas) {
        change { state in
            // The same document neither restarts counts nor is stored again.
            guard state.document != document else { return false }
            (state.document, state.isStored) = (document, false)
            return true
        }
        buffer.dropRefused()
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
            buffer.admission.use(state.table)
        }
    }
}

extension EventBuffer {
    /// The quotas in effect.
    package var quotas: CurrentQuotas { options.object { CurrentQuotas(self) } }
}
