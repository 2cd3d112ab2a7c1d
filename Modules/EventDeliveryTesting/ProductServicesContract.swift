import CoreTracker
import CoreTrackerTesting
public import EventDelivery

/// What every product's services must keep: the contract of each service, on the product's own lane of that service.
///
/// Run each of ``checks`` as a test of its own; they throw with what is wrong, so that they work in Swift Testing and
/// XCTest alike. Each opens an engine of its own, in memory; the settings are read, not changed.
public struct ProductServicesContract: Sendable, CustomStringConvertible {
    /// The promise as a sentence.
    public let description: String
    private let body: @Sendable (ProductServices, String) async throws -> Void

    private init(_ description: String, _ body: @escaping @Sendable (ProductServices, String) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Holds the services to the promise, for the product of a prefix such as `DL`; throws when it is broken.
    public func run(on services: ProductServices, product: String) async throws {
        try await body(services, product)
    }

    /// All promises.
    public static let checks = firebase + awesomeTracking + vendors + defaults

    private static let firebase = FirebaseServiceContract.checks.map { check in
        ProductServicesContract("Firebase: \(check)") { services, product in
            let (engine, destination) = try await open(.firebase(product: product))
            try await FirebaseServiceContract.run(check, on: services.firebase(on: engine)) {
                _ = await engine.flush(deadline: .seconds(5))
                return destination.events.map { FirebaseEvent($0.name, $0.mergedParameters) }
            }
        }
    }

    private static let awesomeTracking = AwesomeTrackingServiceContract.checks.map { check in
        ProductServicesContract("AwesomeTracking: \(check)") { services, product in
            let (engine, destination) = try await open(.awesomeTracking(product: product))
            try await AwesomeTrackingServiceContract.run(check, on: services.awesomeTracking(on: engine)) {
                _ = await engine.flush(deadline: .seconds(5))
                return destination.events.map { AwesomeTrackingEvent($0.name, $0.mergedParameters) }
            }
        }
    }

    private static let vendors = VendorServiceContract.checks.map { check in
        ProductServicesContract("vendors: \(check)") { services, product in
            let (engine, destination) = try await open(LaneID(product: product, service: "acme"))
            try await VendorServiceContract.run(check, on: services.vendors(on: engine), type: "acme") {
                _ = await engine.flush(deadline: .seconds(5))
                return destination.events.map { VendorEvent($0.name, $0.mergedParameters) }
            }
        }
    }

    private static let defaults = [
        ProductServicesContract("an AwesomeTracking event carries each default, and its own value where it has one") {
            services,
            product in
            let (engine, destination) = try await open(.awesomeTracking(product: product))
            let service = services.awesomeTracking(on: engine)

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
                "the events say that they are of another product: \(defaults)"
            )
        }
    ]

    private static func open(_ lane: LaneID) async throws -> (DeliveryEngine, RecordingDestination) {
        let destination = RecordingDestination(lane: lane)
        return (try await destination.makeEngine(), destination)
    }
}
