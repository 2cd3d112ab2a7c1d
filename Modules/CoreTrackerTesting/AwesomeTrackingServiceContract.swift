public import CoreTracker

/// What every `AwesomeTrackingService` must keep.
///
/// Run each of ``checks`` as a test of its own, on a new service; they throw with what is wrong, so that they work in
/// Swift Testing and XCTest alike.
public enum AwesomeTrackingServiceContract {
    /// All promises.
    public static let checks = ServiceContract.checks

    /// Holds a new service to a promise; throws when it is broken.
    ///
    /// `arrived` answers what has come through the service so far, in order, with or without the product's defaults; it
    /// may wait until it has.
    public static func run(
        _ check: ServiceContract,
        on service: any AwesomeTrackingService,
        arrived: @escaping @Sendable () async throws -> [AwesomeTrackingEvent]
    ) async throws {
        let subject = ServiceContract.Subject { name, parameters in
            service.track(AwesomeTrackingEvent(name: name, parameters: parameters))
        } arrived: {
            try await arrived().map { ($0.name, $0.parameters) }
        }
        try await check.body(subject)
    }
}
