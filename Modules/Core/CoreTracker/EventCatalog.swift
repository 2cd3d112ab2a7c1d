/// A list of the events of one module, exported for the tracking plan.
///
/// ```swift
/// public static let dlCheckout = EventCatalog(
///     "DLCheckout",
///     product: "DL",
///     defaults: .checkout,
///     events: [
///         DLCheckoutStarted.self,
///         DLPaymentSelected.self,
///         DLOrderPlaced.self,
///     ]
/// )
/// ```
public struct EventCatalog: Sendable {
    /// The module's name.
    public let module: String
    /// The prefix of the module's product, such as `DL`.
    public let product: String
    /// The default parameters of the module's own tracker.
    ///
    /// Each of the module's events carries them.
    public let defaults: EventParameters
    /// The types of all events of the module.
    public let events: [any PlannedEvent.Type]

    /// Creates a catalog.
    ///
    /// - Parameters:
    ///   - module: The module's name.
    ///   - product: The prefix of the module's product, such as `DL`.
    ///   - defaults: The default parameters of the module's own tracker.
    ///   - events: The types of all events of the module.
    public init(
        _ module: String,
        product: String,
        defaults: EventParameters = [],
        events: [any PlannedEvent.Type]
    ) {
        self.module = module
        self.product = product
        self.defaults = defaults
        self.events = events
    }
}

/// A team with responsibility for events, under its name in the tracking plan.
///
/// A module declares its owner once: `extension EventOwner { static let checkout: EventOwner = "Checkout" }`.
public struct EventOwner: Sendable, Hashable {
    /// The team's name.
    public let name: String

    /// Creates an owner.
    ///
    /// - Parameter name: The team's name.
    public init(_ name: String) {
        self.name = name
    }
}

extension EventOwner: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        name = value
    }
}

extension EventOwner: CustomStringConvertible {
    public var description: String { name }
}
