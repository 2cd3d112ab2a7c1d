public import CoreTracker

/// What every `VendorService` must keep.
///
/// Run each of ``checks`` as a test of its own, on a new service; they throw with what is wrong, so that they work in
/// Swift Testing and XCTest alike.
public enum VendorServiceContract {
    /// All promises.
    public static let checks = ServiceContract.checks

    /// Holds a new service to a promise for a vendor that is registered with it; throws when it is broken.
    ///
    /// `arrived` answers what has come through to that vendor so far, in order; it may wait until it has.
    public static func run(
        _ check: ServiceContract,
        on service: any VendorService,
        type: TrackerType,
        arrived: @escaping @Sendable () async throws -> [VendorEvent]
    ) async throws {
        let subject = ServiceContract.Subject { name, parameters in
            service.track(VendorEvent(type, name, parameters))
        } arrived: {
            try await arrived().map { ($0.name, $0.parameters) }
        }
        try await check.body(subject)
    }
}
