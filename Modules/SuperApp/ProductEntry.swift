public import CoreTracker
import DLCheckout
import DLListing
import DLProductDetail
import DLTracker
import SFGame
import SFLeaderboard
import SFTracker
import TYCheckout
import TYProductDetail
import TYTracker

/// A product of this repository, for the tools that go through all of them.
public struct ProductEntry: Sendable {
    /// The product's prefix, which is the first part of its lanes' names.
    public let prefix: String
    /// The keys of the default parameters at AwesomeTracking.
    public let defaults: [ParameterKey]
    /// The events of each of its modules.
    public let catalogs: [EventCatalog]
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

    /// Creates the product's tracker with its own services, and a service for vendors.
    public func tracker(vendorService: any VendorService) -> any CoreTracker { makeTracker(vendorService) }
}

extension ProductEntry {
    /// Every product with every module that has events: the one list that a new one is added to.
    public static let all = [
        ProductEntry(
            "DL",
            tracker: { DLTracker(vendorService: $0) },
            defaults: DLSettings().awesomeTrackingDefaults,
            catalogs: [
                .dlListing,
                .dlProductDetail,
                .dlCheckout,
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
    /// The events of all modules of all products.
    public static var all: [EventCatalog] { ProductEntry.all.flatMap(\.catalogs) }
}
