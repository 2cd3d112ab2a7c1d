import CoreTracker
import DeliveryMetrics
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

/// Tests of receipts that wait for events in memory, and of the outcomes of such events.
@Suite(.timeLimit(.minutes(2))) struct UnstoredReceiptTests {
    @Test func `an event that is evicted on a full disk is reported as dropped, and never as stored`() async throws {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url, budget: DeliveryBudget(events: 50)) { _, _ in .hang }
        harness.engine.hold(reason: .maintenance)
        let outcomes = harness.engine.outcomes()
        try await harness.openWithFaults()
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        DiskFaults.set(.write(ENOSPC), for: queue.url)

        let receipt = try await receipt(from: harness)
        harness.track(2...200)
        await harness.engine.storeBuffered()
        DiskFaults.set(nil, for: queue.url)
        _ = await harness.clock.nextSleep { $0 <= .seconds(60) }
        harness.clock.advance(by: .seconds(61))
        _ = await diagnostics.next { $0 == .storageRecovered }
        await harness.engine.close(timeout: .zero)

        let (id, reason) = await (receipt.value.id, receipt.value.dropReason)
        #expect(reason == .countBudget)
        var kinds: [EventOutcome.Kind] = []
        for await outcome in outcomes where outcome.id == id { kinds.append(outcome.kind) }
        #expect(kinds == [.accepted, .dropped(.countBudget)])
    }

    @Test func `without a directory that can be used, the receipt of a denied event returns`() async throws {
        let queue = try TemporaryQueue()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: queue.url.path)
        let harness = LaneHarness(directory: queue.url) { _, _ in .hang }
        harness.engine.hold(reason: .maintenance)
        try await harness.open()

        let receipt = try await receipt(from: harness)
        try? await harness.engine.setConsent(.denied, for: .analytics)
        // It would also return a receipt that still waits.
        await harness.engine.close(timeout: .zero)

        #expect(await receipt.value.dropReason == .consentDenied)
    }

    /// Tracks an event, and waits until it is in memory.
    private func receipt(from harness: LaneHarness) async throws -> Task<Receipt, Never> {
        let receipt = Task {
            await harness.engine.lane(harness.destination.lane).trackUntilStored("viewed", parameters: ["n": 1])
        }
        while await harness.ledger.accepted == 0 { await Task.yield() }
        await harness.engine.storeBuffered()
        return receipt
    }
}
