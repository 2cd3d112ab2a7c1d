public import CoreTracker
import CoreTrackerTesting
public import EventDelivery

/// The contract of every product's tracker: of its services, on the product's lanes, and of its default parameters.
///
/// Run each of ``checks`` as a test of its own; they throw a description of the fault, so that they work in Swift
/// Testing and XCTest. Each check opens an engine of its own, in memory; product settings are read and not changed.
public struct ProductTrackerContract: Sendable, CustomStringConvertible {
    /// The closure that creates the product's tracker on an engine, such as `{ DLTracker(on: $0) }`.
    public typealias MakeTracker = @Sendable (DeliveryEngine) -> any CoreTracker

    /// The promise as a sentence.
    public let description: String
    private let body: @Sendable (MakeTracker, String) async throws -> Void

    private init(_ description: String, _ body: @escaping @Sendable (MakeTracker, String) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks the promise for the product of a prefix such as `DL`; throws if it is broken.
    public func run(product: String, _ makeTracker: @escaping MakeTracker) async throws {
        try await body(makeTracker, product)
    }

    /// All promises.
    public static let checks = firebase + awesomeTracking + vendors + defaults

    private static let firebase = FirebaseServiceContract.checks.map { check in
        ProductTrackerContract("Firebase: \(check)") { makeTracker, product in
            let (engine, destination) = try await open(.firebase(product: product))
            try await FirebaseServiceContract.run(check, on: makeTracker(engine).firebaseService) {
                _ = await engine.flush(deadline: .seconds(5))
                return destination.events.map { FirebaseEvent($0.name, $0.mergedParameters) }
            }
        }
    }

    private static let awesomeTracking = AwesomeTrackingServiceContract.checks.map { check in
        ProductTrackerContract("AwesomeTracking: \(check)") { makeTracker, product in
            let (engine, destination) = try await open(.awesomeTracking(product: product))
            try await AwesomeTrackingServiceContract.run(check, on: makeTracker(engine).awesomeTrackingService) {
                _ = await engine.flush(deadline: .seconds(5))
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
            _ = await engine.flush(deadline: .seconds(5))

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
            _ = await engine.flush(deadline: .seconds(5))
            let defaults = destination.events.first?.mergedParameters ?? []
            let own = EventParameters(defaults.map { ($0.key, "own") })
            service.track(AwesomeTrackingEvent("overlaid", own))
            _ = await engine.flush(deadline: .seconds(5))

            let arrived = destination.events.map(\.mergedParameters)
            try ContractViolation.expect(arrived == [defaults, own], "\(arrived) came through")
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
