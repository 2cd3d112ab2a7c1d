import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery

extension DeliveryStore {
    /// Opens a process without runners, which would look for what others are told.
    static func open(
        _ configuration: DeliveryConfiguration,
        clock: TestClock = TestClock()
    ) async -> (EventBuffer, DeliveryStore) {
        let buffer = EventBuffer(clock: clock, eventTime: nil, capacity: 100)
        let store = DeliveryStore(buffer: buffer, diagnostics: DiagnosticStream(), configuration: configuration)
        _ = await store.start()
        return (buffer, store)
    }

    /// What is pending on the first lane, and what of it was lost.
    func firstLedger() throws -> (pending: Int, dropped: [DropReason: Int]) {
        let ledger = try #require(statistics().first).ledger
        return (ledger.pending, ledger.dropped)
    }
}
