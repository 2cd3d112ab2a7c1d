import AdobeTracker
import BrazeTracker
public import CoreTracker
public import EventDelivery
public import LoopbackCollector
public import MultiTracker
import SumoTracker

/// A vendor of this repository, for the tools that go through all of them; its credentials are made up.
public struct VendorEntry: Sendable {
    /// The vendor's type, whose name is also that of its lanes.
    public let type: TrackerType
    /// The vendor's rules as data; `nil` where its destination has none beyond sizes.
    public let rules: EventRules?
    /// How a receiver on this machine reads the vendor's requests.
    public let collected: CollectorService
    private let makeTracker: @Sendable (String, DeliveryEngine) -> any Trackable
    private let makeDestination: @Sendable (String, Endpoint) throws(ConfigurationError) -> any Destination

    /// Makes the vendor's tracker for a product, by the product's prefix.
    public func tracker(product: String, delivery: DeliveryEngine) -> any Trackable {
        makeTracker(product, delivery)
    }

    /// Makes the vendor's destination for a product, at a receiver that takes the vendor's paths.
    public func destination(product: String, at receiver: Endpoint) throws(ConfigurationError) -> any Destination {
        try makeDestination(product, receiver)
    }
}

extension VendorEntry {
    /// Every vendor: the one list that a new one is added to, at its end.
    public static let all = [adobe, braze, sumo]

    /// Adobe, whose media events tell of a film of the demo.
    public static let adobe = VendorEntry(
        type: .adobe,
        rules: .adobe,
        collected: .adobe,
        makeTracker: { product, delivery in
            let film = AdobeMedia(
                name: "dresses-of-the-week",
                playerName: "demo player",
                contentType: "vod",
                length: 94,
                channel: "dolap_lite"
            )
            return AdobeTracker(product: product, delivery: delivery, media: { film })
        },
        makeDestination: { product, receiver throws(ConfigurationError) in
            let adobe = try AdobeConfiguration(datastreamID: "demo", endpoint: receiver)
            return AdobeDestination(product: product, configuration: adobe)
        }
    )

    /// Braze.
    public static let braze = VendorEntry(
        type: .braze,
        rules: .braze,
        collected: .braze,
        makeTracker: { BrazeTracker(product: $0, delivery: $1) },
        makeDestination: { product, receiver throws(ConfigurationError) in
            let braze = try BrazeConfiguration(endpoint: receiver, apiKey: "demo")
            return BrazeDestination(product: product, configuration: braze)
        }
    )

    /// Sumo Logic.
    public static let sumo = VendorEntry(
        type: .sumo,
        rules: nil,
        collected: .sumo,
        makeTracker: { SumoTracker(product: $0, delivery: $1) },
        makeDestination: { product, receiver throws(ConfigurationError) in
            let sumo = SumoConfiguration(endpoint: receiver.appending(path: "receiver/v1/http/demo"))
            return SumoDestination(product: product, configuration: sumo)
        }
    )
}

extension VendorEntry: Hashable {
    public static func == (left: VendorEntry, right: VendorEntry) -> Bool { left.type == right.type }

    public func hash(into hasher: inout Hasher) { hasher.combine(type) }
}
