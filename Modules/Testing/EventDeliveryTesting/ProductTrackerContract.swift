public import CoreTracker
public import CoreTrackerTesting
public import EventDelivery

/// The contract of product trackers, which covers services, lanes and default parameters.
///
/// ```swift
/// @Test(arguments: ProductTrackerContract.checks)
/// func `keeps the contract of a product's tracker`(check: ProductTrackerContract.Check) async throws {
///     try await check.run(.init(product: "DL") { DLTracker(on: $0) })
/// }
/// ```
///
/// Each check opens a new engine in memory. It reads the product's settings without changing them.
public enum ProductTrackerContract {
    /// A product's tracker under test.
    public struct Subject: Sendable {
        let product: String
        let makeTracker: @Sendable (DeliveryEngine) -> any CoreTracker

        /// Creates a subject.
        ///
        /// - Parameters:
        ///   - product: The product's prefix, such as `DL`.
        ///   - makeTracker: Creates the product's tracker on an engine, such as `{ DLTracker(on: $0) }`.
        public init(product: String, _ makeTracker: @escaping @Sendable (DeliveryEngine) -> any CoreTracker) {
            self.product = product
            self.makeTracker = makeTracker
        }
    }

    /// A check of one rule of the contract.
    public typealias Check = ContractCheck<Subject>

    /// The checks of the contract.
    public static let checks: [Check] = firebase + awesomeTracking + vendors + defaults

    private static let firebase = ServiceContract.checks.map { check in
        Check("Firebase: \(check)") { subject in
            let (engine, destination) = try await open(.firebase(product: subject.product))
            let service = ServiceContract.Subject.firebase(subject.makeTracker(engine).firebaseService) {
                _ = await engine.flush(timeout: .seconds(5))
                return destination.events.map { FirebaseEvent($0.name, $0.mergedParameters) }
            }
            try await check.run(service)
        }
    }

    private static let awesomeTracking = ServiceContract.checks.map { check in
        Check("AwesomeTracking: \(check)") { subject in
            let (engine, destination) = try await open(.awesomeTracking(product: subject.product))
            let service = ServiceContract.Subject.awesomeTracking(subject.makeTracker(engine).awesomeTrackingService) {
                _ = await engine.flush(timeout: .seconds(5))
                return destination.events.map { AwesomeTrackingEvent($0.name, $0.mergedParameters) }
            }
            try await check.run(service)
        }
    }

    private static let vendors = [
        Check("without a vendor service, an event for a vendor is counted and not sent") { subject in
            let vendor = LaneID(product: subject.product, service: "acme")
            let (engine, destination) = try await open(vendor)

            subject.makeTracker(engine).vendorService.track(VendorEvent("acme", "seen"))
            _ = await engine.flush(timeout: .seconds(5))

            let dropped = await engine.statistics().first { $0.id == vendor }?.ledger.dropped
            try expect(destination.events.isEmpty, "\(vendor) got \(destination.events.count) events")
            try expect(
                dropped == [.noVendorService: 1],
                "\(vendor) has counted \(dropped ?? [:]) instead of 1 event without a vendor service"
            )
        }
    ]

    private static let defaults = [
        Check("an AwesomeTracking event carries each default, and its own value if it has one") { subject in
            let (engine, destination) = try await open(.awesomeTracking(product: subject.product))
            let service = subject.makeTracker(engine).awesomeTrackingService

            service.track(AwesomeTrackingEvent("plain"))
            _ = await engine.flush(timeout: .seconds(5))
            let defaults = destination.events.first?.mergedParameters ?? []
            let own = EventParameters(defaults.map { ($0.key, "own") })
            service.track(AwesomeTrackingEvent("overlaid", own))
            _ = await engine.flush(timeout: .seconds(5))

            let arrived = destination.events.map(\.mergedParameters)
            try expect(arrived == [defaults, own], "\(arrived) arrived")
            try expect(
                defaults["product_id"] == nil || defaults["product_id"] == .string(subject.product),
                "the events name another product: \(defaults)"
            )
        }
    ]

    private static func open(_ lane: LaneID) async throws -> (DeliveryEngine, RecordingDestination) {
        let destination = RecordingDestination(lane: lane)
        return (try await destination.makeEngine(), destination)
    }
}
