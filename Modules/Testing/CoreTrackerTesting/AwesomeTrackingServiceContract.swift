public import CoreTracker

/// A contract that every `AwesomeTrackingService` fulfills.
///
/// Run each of ``checks`` as a separate test on a new service. A failed check throws an error that describes the
/// violation, which works in Swift Testing and in XCTest.
public enum AwesomeTrackingServiceContract {
    /// The checks of the contract.
    public static let checks = ServiceContract.checks

    /// Runs a check on a new service.
    ///
    /// - Parameters:
    ///   - check: The check to run.
    ///   - service: The service, to which nothing has been tracked yet.
    ///   - received: Returns the events that the service has passed on so far, in order, with or without the product's
    ///     default parameters. It may wait for them.
    /// - Throws: A ``ContractViolation`` if the service violates the contract, or an error of `arrived`.
    public static func run(
        _ check: ServiceContract,
        on service: any AwesomeTrackingService,
        received: @escaping @Sendable () async throws -> [AwesomeTrackingEvent]
    ) async throws {
        let subject = ServiceContract.Subject { name, parameters in
            service.track(AwesomeTrackingEvent(name: name, parameters: parameters))
        } received: {
            try await received().map { ($0.name, $0.parameters) }
        }
        try await check.body(subject)
    }
}
