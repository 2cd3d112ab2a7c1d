import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct UnstoredDecisionsTests {
    @Test func `a decision that could not be stored is in effect at the next start, which stores it`() async throws {
        let queue = try TemporaryQueue()
        let earlier = try await open(queue)
        earlier.lane(LineDestination().lane).track("viewed", parameters: [:])
        // The directory is in use, so the decision cannot be stored.
        let first = try await open(queue)
        var unstored = UnstoredDecisions()
        await unstored.set(.denied, for: .analytics, to: first)
        #expect(unstored.decisions == [.analytics: .denied])
        await first.close(timeout: .zero)
        await earlier.close(timeout: .zero)

        let transport = ScriptedTransport()
        let second = DeliveryEngine(clock: TestClock())
        try await unstored.open(second, configuration(queue, transport))
        _ = await second.flush(timeout: .seconds(1))
        await second.close(timeout: .zero)
        let third = try await open(queue, transport)

        #expect(unstored.decisions.isEmpty)
        #expect(transport.requests.isEmpty)
        #expect(await third.statistics().map(\.consent) == [.denied])
        await third.close(timeout: .zero)
    }

    private func open(_ queue: TemporaryQueue, _ transport: ScriptedTransport? = nil) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(queue, transport))
        return engine
    }

    private func configuration(_ queue: TemporaryQueue, _ transport: ScriptedTransport?) -> DeliveryConfiguration {
        DeliveryConfiguration(
            directory: queue.url,
            destinations: [LineDestination()],
            transport: transport ?? ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        )
    }
}

/// The user's decisions that the engine could not store.
///
/// The app keeps them in its settings.
struct UnstoredDecisions {
    var decisions: [ConsentPurpose: Consent] = [:]

    /// Passes a decision to the engine, and keeps it if it is not stored.
    mutating func set(_ decision: Consent, for purpose: ConsentPurpose, to engine: DeliveryEngine) async {
        do {
            try await engine.setConsent(decision, for: purpose)
            decisions[purpose] = nil
        } catch .notStored {
            decisions[purpose] = decision
        } catch {
            // The decision is stored. The engine deletes the remaining data as soon as it can.
            decisions[purpose] = nil
        }
    }

    /// Opens the engine with the kept decisions in effect from the first event on, then passes them to it again.
    mutating func open(_ engine: DeliveryEngine, _ configuration: DeliveryConfiguration) async throws {
        var configuration = configuration
        configuration.consent.merge(decisions) { $1 }
        try await engine.open(configuration)
        for (purpose, decision) in decisions { await set(decision, for: purpose, to: engine) }
    }
}
