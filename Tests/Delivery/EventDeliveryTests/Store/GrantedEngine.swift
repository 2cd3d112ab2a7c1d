import CoreTracker
import EventDeliveryTesting
import Foundation

@testable import EventDelivery
@testable import EventOutbox

/// Engines whose configuration grants analytics; without a transport they reach no receiver.
enum GrantedEngine {
    static func configuration(
        _ directory: URL?,
        _ transport: ScriptedTransport? = nil,
        _ destinations: [any Destination] = [LineDestination()]
    ) -> DeliveryConfiguration {
        DeliveryConfiguration(
            directory: directory,
            destinations: destinations,
            transport: transport ?? ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) },
            consent: [.analytics: .granted]
        )
    }

    static func open(
        _ directory: URL,
        _ transport: ScriptedTransport? = nil,
        _ destinations: [any Destination] = [LineDestination()]
    ) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(directory, transport, destinations))
        return engine
    }

    /// Tracks three events.
    static func track(_ canary: String, by engine: DeliveryEngine) {
        for number in 1...3 {
            let parameters: EventParameters = ["canary": .string(canary), "n": .int(number)]
            engine.lane(LineDestination().lane).track("viewed", parameters: parameters)
        }
    }

    /// Leaves three events of an earlier run, and a word that it was killed after.
    static func leave(_ canary: String, in directory: URL, _ word: StoredDecision? = nil) async throws {
        let first = try await open(directory)
        track(canary, by: first)
        await first.close(deadline: .zero)
        if let word { try ConsentFile.write([word], in: OutboxDirectory(directory)) }
    }
}
