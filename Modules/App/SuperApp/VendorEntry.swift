import AdobeTracker
import BrazeTracker
package import CoreTracker
package import EventDelivery
package import LoopbackCollector
package import MultiTracker
import SumoTracker
package import VendorRules

/// A vendor of this repository, for tools that process every vendor.
///
/// Its credentials are placeholders. `Scripts/new vendor Acme` writes a vendor's module beside those in
/// `Modules/Services`, with its tests and its line in `Package.swift`; then add its entry here.
package struct VendorEntry: Sendable {
    /// The vendor's type.
    ///
    /// Its name is also the last part of the vendor's lane names.
    package let type: TrackerType
    /// The vendor's validation rules, or `nil` if its destination only limits sizes.
    package let rules: EventRules?
    /// The collector service that decodes the vendor's requests on this machine.
    package let collectorService: CollectorService
    private let makeTracker: @Sendable (String, DeliveryEngine) -> any Trackable
    private let makeDestination: @Sendable (String, Endpoint) throws(ConfigurationError) -> any Destination

    /// Creates the vendor's tracker for a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - engine: The engine that delivers the tracker's events.
    /// - Returns: The vendor's tracker.
    package func tracker(product: String, on engine: DeliveryEngine) -> any Trackable {
        makeTracker(product, engine)
    }

    /// Creates the vendor's destination for a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - receiver: The server that receives the requests. It must accept the vendor's paths.
    /// - Returns: The vendor's destination.
    /// - Throws: `ConfigurationError` if the vendor's configuration rejects the receiver.
    package func destination(product: String, at receiver: Endpoint) throws(ConfigurationError) -> any Destination {
        try makeDestination(product, receiver)
    }
}

extension VendorEntry {
    /// Every vendor.
    ///
    /// Add a new vendor at the end of this list.
    package static let all = [adobe, braze, sumo]

    /// Adobe.
    ///
    /// Its media events describe a sample film of the demo.
    package static let adobe = VendorEntry(
        type: .adobe,
        rules: .adobe,
        collectorService: .adobe,
        makeTracker: { product, engine in
            let film = AdobeMedia(
                name: "dresses-of-the-week",
                playerName: "demo player",
                contentType: "vod",
                length: 94,
                channel: "dolap_lite"
            )
            return AdobeTracker(product: product, on: engine, media: { film })
        },
        makeDestination: { product, receiver throws(ConfigurationError) in
            let adobe = try AdobeConfiguration(datastreamID: "demo", endpoint: receiver)
            return AdobeDestination(product: product, configuration: adobe)
        }
    )

    /// Braze.
    package static let braze = VendorEntry(
        type: .braze,
        rules: .braze,
        collectorService: .braze,
        makeTracker: { BrazeTracker(product: $0, on: $1) },
        makeDestination: { product, receiver throws(ConfigurationError) in
            let braze = try BrazeConfiguration(endpoint: receiver, apiKey: "demo")
            return BrazeDestination(product: product, configuration: braze)
        }
    )

    /// Sumo Logic.
    package static let sumo = VendorEntry(
        type: .sumo,
        rules: nil,
        collectorService: .sumo,
        makeTracker: { SumoTracker(product: $0, on: $1) },
        makeDestination: { product, receiver throws(ConfigurationError) in
            let sumo = SumoConfiguration(endpoint: receiver.appending(path: "receiver/v1/http/demo"))
            return SumoDestination(product: product, configuration: sumo)
        }
    )
}

extension VendorEntry: Hashable {
    package static func == (left: VendorEntry, right: VendorEntry) -> Bool { left.type == right.type }

    package func hash(into hasher: inout Hasher) { hasher.combine(type) }
}
