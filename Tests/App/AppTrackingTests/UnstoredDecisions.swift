import EventDelivery

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
