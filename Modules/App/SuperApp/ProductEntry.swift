import AppTracking
package import CoreTracker
import DLCheckout
import DLListing
import DLProductDetail
import DLTracker
import EventTracking
import FeatureFlags
import SFGame
import SFLeaderboard
import SFTracker
import TYCheckout
import TYProductDetail
import TYTracker

/// A product of this repository, for tools that process every product.
///
/// ```swift
/// let prefixes = ProductEntry.all.map(\.prefix)
/// ```
package struct ProductEntry: Sendable {
    /// The product's prefix, which is the first part of its lane names.
    package let prefix: String
    /// The keys of the product's default parameters for AwesomeTracking.
    package let defaults: [ParameterKey]
    /// The event catalogs of the product's modules.
    package let catalogs: [EventCatalog]
    private let makeTracker: @Sendable (any VendorService) -> any CoreTracker

    private init(
        _ prefix: String,
        tracker: @escaping @Sendable (any VendorService) -> any CoreTracker,
        defaults: EventParameters,
        catalogs: [EventCatalog]
    ) {
        self.prefix = prefix
        self.defaults = defaults.map(\.key)
        self.catalogs = catalogs
        makeTracker = tracker
    }

    /// Creates the product's tracker.
    ///
    /// The Firebase and AwesomeTracking services are the product's own defaults.
    ///
    /// - Parameter vendorService: The service that sends vendor events.
    /// - Returns: The product's tracker.
    package func tracker(vendorService: any VendorService) -> any CoreTracker { makeTracker(vendorService) }
}

extension ProductEntry {
    /// Every product with all of its modules that have events.
    ///
    /// Add a new product or module here.
    package static let all = [
        ProductEntry(
            "DL",
            tracker: { DLTracker(vendorService: $0) },
            defaults: DLSettings().awesomeTrackingDefaults,
            catalogs: [
                .dlListing,
                .dlProductDetail,
                .dlCheckout,
                .lifecycle(of: "DL"),
                .featureFlags(of: "DL"),
            ]
        ),
        ProductEntry(
            "SF",
            tracker: { SFTracker(vendorService: $0) },
            defaults: SFSettings().awesomeTrackingDefaults,
            catalogs: [
                .sfGame,
                .sfLeaderboard,
                .sfTracker,
            ]
        ),
        ProductEntry(
            "TY",
            tracker: { TYTracker(vendorService: $0) },
            defaults: TYSettings().awesomeTrackingDefaults,
            catalogs: [
                .tyProductDetail,
                .tyCheckout,
            ]
        ),
    ]
}

extension [EventCatalog] {
    /// The event catalogs of all products.
    package static var all: [EventCatalog] { ProductEntry.all.flatMap(\.catalogs) }
}
