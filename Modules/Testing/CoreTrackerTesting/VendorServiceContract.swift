public import CoreTracker

/// A contract that every `VendorService` fulfills.
///
/// Run each of ``checks`` as a separate test on a new service. A failed check throws an error that describes the
/// violation, which works in Swift Testing and in XCTest.
public enum VendorServiceContract {
    /// The checks of the contract.
    public static let checks = ServiceContract.checks

    /// Runs a check on a new service, for a registered vendor.
    ///
    /// - Parameters:
    ///   - check: The check to run.
    ///   - service: The service, to which nothing has been tracked yet.
    ///   - type: The type of a vendor that is registered with the service.
    ///   - received: Returns the events that the vendor has received so far, in order. It may wait for them.
    /// - Throws: A ``ContractViolation`` if the service violates the contract, or an error of `arrived`.
    public static func run(
        _ check: ServiceContract,
        on service: any VendorService,
        type: TrackerType,
        received: @escaping @Sendable () async throws -> [VendorEvent]
    ) async throws {
        let subject = ServiceContract.Subject { name, parameters in
            service.track(VendorEvent(type, name, parameters))
        } received: {
            try await received().map { ($0.name, $0.parameters) }
        }
        try await check.body(subject)
    }
}
