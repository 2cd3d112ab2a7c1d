import EventOutbox
public import EventQuotas
public import EventTracking

/// The contents of an accepted quotas document.
public struct AcceptedQuotas: Sendable, Equatable {
    /// The number of entries: event names, lanes and products.
    public let entries: Int
    /// The number of values clamped because they were out of range.
    public let clamped: Int
    /// The number of unknown keys, which were ignored.
    public let ignored: Int
}

/// Quotas that change while the app runs.
extension DeliveryEngine {
    /// Replaces the quotas for events, lanes and products with the quotas of a JSON document.
    ///
    /// The app fetches the document; the engine does not. The document applies to all events tracked from the call on
    /// and, except for its rates, to unstored events. Stored events are sent as usual. Dropped events are counted as
    /// `switched_off`, `sampled_out` or `rate_capped`.
    ///
    /// The whole document is replaced. An empty one, `{"version": 1}`, leaves only the configuration's quotas. The last
    /// accepted document survives a restart: it is in effect when the engine opens its directory, also for events
    /// tracked before. An engine without a directory does not store it.
    ///
    /// - Parameter document: The document in JSON, at most 65,536 bytes and 1,000 entries.
    /// - Returns: The number of entries, of clamped values and of ignored keys.
    /// - Throws: `QuotasError.notStored`, with the reason, if the document is in effect but not stored. With any other
    ///   error the document is rejected as a whole, and the quotas in effect stay.
    @discardableResult
    public func setQuotas(document: some Collection<UInt8>) async throws(QuotasError) -> AcceptedQuotas {
        let quotas: RemoteQuotas
        do throws(QuotasError) {
            quotas = try RemoteQuotas(document: document)
        } catch .malformed(let path) {
            throw .malformed(at: ResponseText.reason(path))
        }
        buffer.quotas.accept(quotas)
        guard let open else { throw .notStored(.notOpen) }
        do throws(OutboxError) { try await open.openedStore.storeQuotas() } catch { throw .notStored(error) }
        return AcceptedQuotas(entries: quotas.count, clamped: quotas.clamped, ignored: quotas.ignored)
    }
}

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
