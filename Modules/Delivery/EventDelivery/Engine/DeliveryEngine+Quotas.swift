public import EventQuotas
public import EventTracking

/// The contents of an accepted quotas document.
public struct AcceptedQuotas: Sendable, Hashable {
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
