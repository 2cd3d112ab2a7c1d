import EventOutbox
import EventQuotas
import EventTracking

/// A component that stores the quotas document in the engine's directory, and applies the stored one.
///
/// It is confined to the store's executor.
struct StoredQuotas {
    private let storage: OutboxStorage
    private let buffer: EventBuffer
    private var backoff = StorageBackoff()
    /// The time of the next attempt to read the file, or `nil` if it was read or is damaged.
    private(set) var due: MonotonicInstant?

    init(_ state: DeliveryState) {
        (storage, buffer) = (state.storage, state.buffer)
    }

    /// Applies the document of the open directory, or stores this process's document.
    ///
    /// A damaged document counts as none. If the file cannot be opened now, it is tried again.
    mutating func restore() {
        let isFirst = due == nil
        due = nil
        guard let file = storage.quotasFile else { return }
        do throws(OutboxError) {
            buffer.quotas.restore(try file.read(RemoteQuotas.self))
            backoff.succeeded()
        } catch {
            if isFirst { buffer.diagnostics.send(.quotasLost(error)) }
            switch error {
            case .corrupt, .foreign: buffer.quotas.restore(nil)
            default: due = backoff.failed(error, at: buffer.clock.monotonicTime())
            }
        }
        // After an error, the document is stored with the next opening or call.
        try? save()
    }

    /// Stores the document in effect, unless it is stored.
    ///
    /// Calls at the same time store the document of the last one.
    ///
    /// - Throws: The error of the directory. The document is in effect nevertheless.
    mutating func save() throws(OutboxError) {
        guard let document = buffer.quotas.unstored else { return }
        if let file = storage.quotasFile {
            try file.write(document)
        } else if let failure = storage.failure {
            throw failure
        }
        buffer.quotas.recordStored(document)
        due = nil
    }
}
