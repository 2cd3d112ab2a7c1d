public import CoreTracker

/// A user was exposed to a variant of a feature flag.
public struct FlagExposed: CoreTrackable, Hashable {
    /// The flag's name.
    public let flag: String
    /// The variant.
    public let variant: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - flag: The flag's name.
    ///   - variant: The variant.
    public init(flag: String, variant: String) {
        self.flag = flag
        self.variant = variant
    }

    public var services: [EventService] {
        FirebaseEvent("flag_exposed", [.flag(flag), .variant(variant)])
        AwesomeTrackingEvent("flag_exposed", [.flag(flag), .variant(variant)])
    }
}

extension FlagExposed: PlannedEvent {
    public static var plan: EventPlan<FlagExposed> {
        EventPlan(
            "Flag exposed",
            owner: "App platform",
            purpose: "Which users saw which variant.",
            introduced: "1.0",
            examples: [FlagExposed(flag: "new_checkout", variant: "b")]
        )
    }
}

extension EventCatalog {
    /// Returns the catalog of ``FlagExposed``, for the tracking plan of a product that uses feature flags.
    ///
    /// - Parameter product: The prefix of the product, such as `DL`.
    /// - Returns: The catalog.
    public static func featureFlags(of product: String) -> EventCatalog {
        EventCatalog("FeatureFlags", product: product, events: [FlagExposed.self])
    }
}

/// The parameter keys of an exposure.
extension EventParameter {
    /// The name of a feature flag.
    static let flag = Key<String>("flag")
    /// The variant of a feature flag.
    static let variant = Key<String>("variant")
}
