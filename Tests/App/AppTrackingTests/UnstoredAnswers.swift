import EventDelivery

/// The user's answers that the engine could not store.
///
/// The app keeps them in its settings.
struct UnstoredAnswers {
    var answers: [ConsentPurpose: Consent] = [:]

    /// Passes an answer to the engine, and keeps it if it is not stored.
    mutating func give(_ answer: Consent, for purpose: ConsentPurpose, to engine: DeliveryEngine) async {
        do {
            try await engine.setConsent(answer, for: purpose)
            answers[purpose] = nil
        } catch .notStored {
            answers[purpose] = answer
        } catch {
            // The answer is stored. The engine deletes the remaining data as soon as it can.
            answers[purpose] = nil
        }
    }

    /// Opens the engine with the kept answers in effect from the first event on, then passes them to it again.
    mutating func open(_ engine: DeliveryEngine, _ configuration: DeliveryConfiguration) async throws {
        var configuration = configuration
        configuration.consent.merge(answers) { $1 }
        try await engine.open(configuration)
        for (purpose, answer) in answers { await give(answer, for: purpose, to: engine) }
    }
}
