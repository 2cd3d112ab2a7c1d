public import CoreTracker
public import EventDelivery

/// Braze by its SDK, for an app that links it: the lane that is Braze's otherwise ends in an adapter.
///
/// No key is needed, which an app could not keep secret. The SDK stamps an event with the time of the call, so that the
/// event's own id and time travel as `event_uid` and `event_time`.
public struct BrazeSDKDestination: SDKDestination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    private let adapter: any BrazeSDKAdapter

    /// Creates the destination of a product, by the product's prefix such as `DL`.
    public init(product: String, adapter: any BrazeSDKAdapter, purpose: ConsentPurpose = .marketing) {
        lane = .braze(product: product)
        self.adapter = adapter
        self.purpose = purpose
    }

    /// Braze's rules, with two places kept for the event's id and time.
    public var rules: EventRules {
        var rules = EventRules.braze
        rules.maximumParameters -= 2
        return rules
    }

    public func handOver(_ event: SDKEvent) async throws(SDKRefusal) {
        var properties = event.parameters
        properties["event_uid"] = .string(event.id.description)
        properties["event_time"] = .string(event.time.rfc3339)
        try await adapter.logCustomEvent(event.name, properties: properties, userID: event.userID)
    }
}
