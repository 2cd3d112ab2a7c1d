import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation

/// Engines whose configuration grants analytics.
///
/// Without a transport they reach no receiver.
enum GrantedEngine {
    static func configuration(
        _ directory: URL?,
        _ transport: ScriptedTransport? = nil,
        _ destinations: [any Destination] = [LineDestination()]
    ) -> DeliveryConfiguration {
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: destinations,
            transport: transport ?? ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        )
        configuration.consent = [.analytics: .granted]
        return configuration
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

    /// Opens an engine whose configuration decides about no purpose, and whose default is to send.
    static func openUndecided(_ directory: URL, _ transport: ScriptedTransport? = nil) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        var configuration = configuration(directory, transport)
        configuration.consent = [:]
        try await engine.open(configuration)
        return engine
    }

    /// Tracks three events.
    static func track(_ canary: String, by engine: DeliveryEngine) {
        for number in 1...3 {
            let parameters: EventParameters = ["canary": .string(canary), "n": .int(number)]
            engine.lane(LineDestination().lane).track("viewed", parameters: parameters)
        }
    }

    /// Leaves three events of an earlier run.
    static func leave(_ canary: String, in directory: URL) async throws {
        let first = try await open(directory)
        track(canary, by: first)
        await first.close(timeout: .zero)
    }

    /// Leaves a directory like a process killed after its decisions about analytics are stored, and before the events
    /// covered by a denial are deleted.
    ///
    /// The process has stored three events with the first canary before the decisions, and three events with the second
    /// canary after them.
    ///
    /// - Returns: The directory, in which the canaries of the denied events are still on disk.
    static func killed(
        _ canary: String,
        decisions: [Consent] = [.denied, .granted],
        later: String = "LATER"
    ) async throws -> TemporaryQueue {
        let queue = try TemporaryQueue()
        DiskFaults.prepare()
        let engine = try await open(queue.url)
        track(canary, by: engine)
        await engine.storeBuffered()
        DiskFaults.set(.merge(ENOSPC), for: queue.url)
        for decision in decisions { try? await engine.setConsent(decision, for: .analytics) }
        track(later, by: engine)
        await engine.storeBuffered()
        let copy = try queue.copy()
        DiskFaults.set(nil, for: queue.url)
        await engine.close(timeout: .zero)
        return copy
    }
}

extension ScriptedTransport {
    /// The bodies of all requests as text.
    var sentText: String { requests.map { String(decoding: $0.body, as: UTF8.self) }.joined(separator: "\n") }
}
