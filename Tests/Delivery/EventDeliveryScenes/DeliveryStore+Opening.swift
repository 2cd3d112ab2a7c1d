import CoreTracker
import EventDeliveryTesting
import EventTracking
import Testing

@testable import EventDelivery

extension DeliveryStore {
    /// Opens a store without a writer's task and without lane runners, so only the test's calls change it.
    static func open(
        _ configuration: DeliveryConfiguration,
        clock: TestClock = TestClock()
    ) async -> (EventBuffer, DeliveryStore) {
        let buffer = EventBuffer(clock: clock, eventTime: nil, capacity: 100)
        let store = DeliveryStore(buffer: buffer, configuration: configuration)
        _ = await store.start()
        return (buffer, store)
    }

    /// The pending events of the first lane, and its lost events by reason.
    func firstLedger() throws -> (pending: Int, dropped: [DropReason: Int]) {
        let ledger = try #require(statistics().first).ledger
        return (ledger.pending, ledger.dropped)
    }
}

extension DeliveryStore {
    /// Stores and applies a decision, and deletes the events covered by it.
    func apply(_ decision: PrivacyDecision) async throws(DecisionError) {
        _ = try await deleteEvents(of: decision, number: try store(decision))
    }
}
