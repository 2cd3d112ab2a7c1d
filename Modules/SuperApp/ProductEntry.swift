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
    /// The tracker with the product's own services.
    public let tracker: any CoreTracker
    /// The keys of the default parameters at AwesomeTracking.
    public let defaults: [ParameterKey]
    /// The events of each of its modules.
    public let catalogs: [EventCatalog]

    private init(_ prefix: String, _ tracker: any CoreTracker, defaults: EventParameters, catalogs: [EventCatalog]) {
        self.prefix = prefix
        self.tracker = tracker
        self.defaults = defaults.map(\.key)
        self.catalogs = catalogs
    }
}

extension ProductEntry {
    /// Every product with every module that has events: the one list that a new one is added to.
    public static let all = [
        ProductEntry(
            "DL",
            DLTracker(),
            defaults: DLSettings().defaults,
            catalogs: [
                .dlListing,
                .dlProductDetail,
                .dlCheckout,
            ]
        ),
        ProductEntry(
            "SF",
            SFTracker(),
            defaults: SFSettings().defaults,
            catalogs: [
                .sfGame,
                .sfLeaderboard,
                .sfTracker,
            ]
        ),
        ProductEntry(
            "TY",
            TYTracker(),
            defaults: TYSettings().defaults,
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
