import AwesomeTracking
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Foundation
import LoopbackCollector
import MultiTracker
import SuperApp
import TrackingPlan

/// A tool that writes, checks and compares the tracking plan of this repository, and validates its examples.
///
/// `Scripts/tracking-plan` runs it.
@main
enum TrackingPlanTool {
    static func main() async {
        do {
            let result = try await run(Array(CommandLine.arguments.dropFirst()))
            PlanTool.exit(printing: result.text, isSuccess: result.isSuccess)
        } catch {
            PlanTool.exit(with: "\(error)")
        }
    }

    /// Runs a command.
    ///
    /// `validate-firebase` takes a server's address, `loopback` for a local server, or nothing for Google's. All other
    /// commands belong to the plan.
    static func run(_ arguments: [String]) async throws -> (text: String, isSuccess: Bool) {
        guard arguments.first == "validate-firebase" else {
            return try PlanTool(
                catalogs: .all,
                capabilities: try await CapabilityEvents.all(),
                services: try CheckedService.all()
            ).run(arguments)
        }
        guard arguments.last == "loopback" else {
            return try await validation(arguments.dropFirst()).run(.all)
        }
        let collector = try LoopbackCollector(script: .measurementProtocolValidation)
        defer { collector.close() }
        return try await FirebaseValidation(server: collector.url).run(.all)
    }

    private static func validation(_ rest: ArraySlice<String>) throws -> FirebaseValidation {
        guard rest.count < 2 else {
            throw FirebaseValidation.Failure(description: "usage: validate-firebase [URL | loopback]")
        }
        return try rest.first.map { try FirebaseValidation(server: Endpoint($0)) } ?? FirebaseValidation()
    }
}

extension CheckedService {
    /// Returns the services of every product.
    ///
    /// Addresses and credentials are placeholders, because nothing is sent.
    static func all() throws(ConfigurationError) -> [CheckedService] {
        var services: [CheckedService] = []
        for product in ProductEntry.all { services += try all(of: product) }
        return services
    }

    private static func all(of product: ProductEntry) throws(ConfigurationError) -> [CheckedService] {
        let receiver = try Endpoint("https://localhost")
        let firebase = try FirebaseConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: Secret("none"))
        let rows = try ClickHouseConfiguration(endpoint: receiver)
        var services = [
            CheckedService(
                FirebaseDestination(product: product.prefix, configuration: firebase),
                rules: firebase.rules
            ),
            CheckedService(
                ClickHouseDestination(product: product.prefix, configuration: rows),
                defaults: product.defaults.map(\.name)
            ),
        ]
        for vendor in VendorEntry.all {
            let destination = try vendor.destination(product: product.prefix, at: receiver)
            services.append(CheckedService(destination, rules: vendor.rules))
        }
        return services
    }
}

extension CapabilityEvents {
    /// Returns the events that each vendor's tracker creates for all capability calls, for a product.
    static func all(product: String = "DL") async throws -> [CapabilityEvents] {
        var all: [CapabilityEvents] = []
        for vendor in VendorEntry.all {
            let destination = RecordingDestination(lane: LaneID(product: product, service: vendor.type.name))
            let engine = try await destination.makeEngine()
            let store = TrackerStore()
            store.register(vendor.tracker(product: product, on: engine))
            CapabilityCalls.callAll(of: Tracker(trackerStore: store))
            await engine.close(timeout: .seconds(5))
            let events = destination.events.map { VendorEvent(vendor.type, $0.name, $0.parameters) }
            all.append(CapabilityEvents(product: product, vendor: vendor.type, events: events))
        }
        return all
    }
}
