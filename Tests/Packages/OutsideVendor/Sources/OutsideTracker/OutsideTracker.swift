public import CoreTracker
public import EventDelivery
public import MultiTracker

extension TrackerType {
    /// The vendor Outside.
    public static let outside: TrackerType = "outside"
}

extension LaneID {
    /// Returns the lane of a product's events for Outside.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    /// - Returns: The lane `<product>/outside`.
    public static func outside(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.outside.name)
    }
}

/// A tracker for Outside.
///
/// `OutsideTracker(product: "DL")` delivers through `DeliveryEngine.shared`.
/// Nothing is sent before the app opens it with an ``OutsideDestination``.
public struct OutsideTracker: Trackable, VendorEventTrackable {
    public let type = TrackerType.outside
    /// The lane that accepts the events.
    public let lane: DeliveryLane

    /// Creates the tracker of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - engine: The engine that delivers the events; by default, the app's shared engine.
    public init(product: String, on engine: DeliveryEngine = .shared) {
        lane = engine.lane(.outside(product: product))
    }

    public func track(_ event: VendorEvent) { lane.track(event) }
}
