public import CoreTracker
import CoreTrackerTesting
public import EventDelivery

/// A check of one rule in the contract of product trackers, which covers services, lanes and default parameters.
///
/// ```swift
/// @Test(arguments: ProductTrackerContract.checks)
/// func `keeps the contract of a product's tracker`(check: ProductTrackerContract) async throws {
///     try await check.run(product: "DL") { DLTracker(on: $0) }
/// }
/// ```
///
/// A check throws a description of the violation, so it works in Swift Testing and XCTest. It opens a new engine in
/// memory. It reads the product's settings without changing them.
public struct ProductTrackerContract: Sendable, CustomStringConvertible {
    /// A closure that creates the product's tracker on an engine, such as `{ DLTracker(on: $0) }`.
    public typealias MakeTracker = @Sendable (DeliveryEngine) -> any CoreTracker

    /// The rule, as a sentence.
    public let description: String
    private let body: @Sendable (MakeTracker, String) async throws -> Void

    private init(_ description: String, _ body: @escaping @Sendable (MakeTracker, String) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks a product's tracker.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - makeTracker: The closure that creates the tracker.
    /// - Throws: A description of the violation, or an error if the engine cannot be opened.
    public func run(product: String, _ makeTracker: @escaping MakeTracker) async throws {
        try await body(makeTracker, product)
    }

    /// All checks of the contract.
    public static let checks = firebase + awesomeTracking + vendors + defaults

    private static let firebase = FirebaseServiceContract.checks.map { check in
        ProductTrackerContract("Firebase: \(check)") { makeTracker, product in
            let (engine, destination) = try await open(.firebase(product: product))
            try await FirebaseServiceContract.run(check, on: makeTracker(engine).firebaseService) {
                _ = await engine.flush(timeout: .seconds(5))
                return destination.events.map { FirebaseEvent($0.name, $0.mergedParameters) }
            }
        }
    }

    private static let awesomeTracking = AwesomeTrackingServiceContract.checks.map { check in
        ProductTrackerContract("AwesomeTracking: \(check)") { makeTracker, product in
            let (engine, destination) = try await open(.awesomeTracking(product: product))
            try await AwesomeTrackingServiceContract.run(check, on: makeTracker(engine).awesomeTrackingService) {
                _ = await engine.flush(timeout: .seconds(5))
                return destination.events.map { AwesomeTrackingEvent($0.name, $0.mergedParameters) }
            }
        }
    }

    private static let vendors = [
        ProductTrackerContract("without a vendor service, an event for a vendor is counted and not sent") {
            makeTracker,
            product in
            let vendor = LaneID(product: product, service: "acme")
            let (engine, destination) = try await open(vendor)

            makeTracker(engine).vendorService.track(VendorEvent("acme", "seen"))
            _ = await engine.flush(timeout: .seconds(5))

            let dropped = await engine.statistics().first { $0.id == vendor }?.ledger.dropped
            try ContractViolation.expect(destination.events.isEmpty, "\(vendor) got \(destination.events.count) events")
            try ContractViolation.expect(
                dropped == [.noVendorService: 1],
                "\(vendor) has counted \(dropped ?? [:]) instead of 1 event without a vendor service"
            )
        }
    ]

    private static let defaults = [
        ProductTrackerContract("an AwesomeTracking event carries each default, and its own value if it has one") {
            makeTracker,
            product in
            let (engine, destination) = try await open(.awesomeTracking(product: product))
            let service = makeTracker(engine).awesomeTrackingService

            service.track(AwesomeTrackingEvent("plain"))
            _ = await engine.flush(timeout: .seconds(5))
            let defaults = destination.events.first?.mergedParameters ?? []
            let own = EventParameters(defaults.map { ($0.key, "own") })
            service.track(AwesomeTrackingEvent("overlaid", own))
            _ = await engine.flush(timeout: .seconds(5))

            let arrived = destination.events.map(\.mergedParameters)
            try ContractViolation.expect(arrived == [defaults, own], "\(arrived) arrived")
            try ContractViolation.expect(
                defaults["product_id"] == nil || defaults["product_id"] == .string(product),
                "the events name another product: \(defaults)"
            )
        }
    ]

    private static func open(_ lane: LaneID) async throws -> (DeliveryEngine, RecordingDestination) {
        let destination = RecordingDestination(lane: lane)
        return (try await destination.makeEngine(), destination)
    }
}
