import AdobeTracker
import BrazeTracker
import CoreTracker
import EventDelivery
import Foundation
import LoopbackCollector
import MultiTracker
import SumoTracker

/// A vendor that the demo has a tracker and a destination for.
enum Vendor: String, CaseIterable, Sendable {
    case adobe, braze, sumo

    /// The vendor's type.
    var type: TrackerType {
        switch self {
        case .adobe: .adobe
        case .braze: .braze
        case .sumo: .sumo
        }
    }

    /// The vendor's lane for the product whose app the playback journey is.
    var lane: LaneID { LaneID(product: Product.dolapLite.rawValue, service: type.name) }

    /// How the demo's own receiver reads the vendor's requests.
    var collected: CollectorService {
        switch self {
        case .adobe: .adobe
        case .braze: .braze
        case .sumo: .sumo
        }
    }

    /// The vendor's tracker on an engine.
    func tracker(on engine: DeliveryEngine) -> any Trackable {
        switch self {
        case .adobe: AdobeTracker(product: lane.product, delivery: engine, media: { Vendor.film })
        case .braze: BrazeTracker(product: lane.product, delivery: engine)
        case .sumo: SumoTracker(product: lane.product, delivery: engine)
        }
    }

    /// The vendor's wire format towards a receiver that takes the vendor's paths.
    func destination(at receiver: Endpoint) throws(ConfigurationError) -> any Destination {
        let base = receiver.url.absoluteString
        switch self {
        case .adobe:
            let adobe = try AdobeConfiguration(datastreamID: "demo", endpoint: base + "/ee/v2/collect")
            return AdobeDestination(product: lane.product, configuration: adobe)
        case .braze:
            let braze = try BrazeConfiguration(endpoint: base + "/users/track", apiKey: "demo")
            return BrazeDestination(product: lane.product, configuration: braze)
        case .sumo:
            let sumo = try SumoConfiguration(address: Secret(base + "/receiver/v1/http/demo"))
            return SumoDestination(product: lane.product, configuration: sumo)
        }
    }
}

extension Vendor {
    /// What the player of the playback journey shows.
    private static let film = AdobeMedia(
        name: "dresses-of-the-week",
        playerName: "demo player",
        contentType: "vod",
        length: 94,
        channel: "dolap_lite"
    )
}
