public import CoreTracker
public import EventDelivery

/// Firebase by its SDK, for an app that links it: the lane that is Firebase's otherwise ends in an adapter.
///
/// The SDK stamps an event with the time of the call, so that the event's own id and time travel as `event_id` and
/// `event_time_ms`.
public struct FirebaseSDKDestination: SDKDestination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let rules: EventRules
    private let adapter: any FirebaseSDKAdapter

    /// Creates the destination of a product, by the product's prefix such as `DL`.
    ///
    /// Of the parameters that the rules allow, two are kept for the event's id and time.
    public init(
        product: String,
        adapter: any FirebaseSDKAdapter,
        rules: EventRules = .firebaseSDK,
        purpose: ConsentPurpose = .analytics
    ) {
        lane = .firebase(product: product)
        self.adapter = adapter
        var rules = rules
        rules.maximumParameters -= 2
        self.rules = rules
        self.purpose = purpose
    }

    public func handOver(_ event: SDKEvent) async throws(SDKRefusal) {
        try await adapter.logEvent(event.name, parameters: event.stampedParameters, userID: event.userID)
    }
}
