public import CoreTracker
public import EventDelivery
public import SDKDelivery
public import VendorRules

/// A destination that passes a lane's events to Braze's SDK, for an app that links it.
///
/// It has the same lane as ``BrazeDestination``. It needs no key, which an app could not keep secret. The SDK stamps
/// each event with the time of the call. The event's own id and time are therefore sent as `event_uid` and
/// `event_time`.
public struct BrazeSDKDestination: SDKDestination {
    /// The maximum size of an event's properties in bytes of JSON: 50 KB.
    public static let maximumBytes = 51_200

    public let lane: LaneID
    public let purpose: ConsentPurpose
    private let adapter: any BrazeSDKAdapter

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - adapter: Passes the events to the SDK.
    ///   - purpose: The consent purpose of the events.
    public init(product: String, adapter: any BrazeSDKAdapter, purpose: ConsentPurpose = .marketing) {
        lane = .braze(product: product)
        self.adapter = adapter
        self.purpose = purpose
    }

    /// Braze's rules, with two parameters reserved for the event's id and time.
    public var rules: EventRules {
        var rules = EventRules.braze
        rules.maximumParameters -= 2
        return rules
    }

    /// Encodes an event for the SDK.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - encoder: Receives the event and the adjustments.
    /// - Throws: An error if the event's name or its user's id breaks a rule, or if its properties exceed
    ///   ``maximumBytes``.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try rules.userID.check(event.identity.userID)
        let event = try adjusted(try RecommendedEvent.arranged(event), for: &encoder)
        var json = JSONWriter()
        json.object(BrazeSDKDestination.properties(of: event))
        guard json.byteCount <= BrazeSDKDestination.maximumBytes else {
            throw EventEncodingError(rule: "properties_too_large", field: "properties")
        }
        event.write(into: &encoder.json)
    }

    /// Passes an event to the adapter, with the event's id and time as two further properties.
    ///
    /// - Parameter event: The event.
    /// - Throws: The adapter's error.
    public func send(_ event: SDKEvent) async throws(SDKError) {
        let properties = BrazeSDKDestination.properties(of: event)
        try await adapter.logCustomEvent(event.name, properties: properties, userID: event.userID)
    }

    private static func properties(of event: SDKEvent) -> EventParameters {
        let added: EventParameters = [
            "event_uid": .string(event.id.description), "event_time": .string(event.time.rfc3339),
        ]
        return RecommendedEvent.properties(event.parameters, of: event.name, with: added)
    }
}

/// A connection to Braze's SDK.
///
/// If your app links the SDK, declare a conforming type.
///
/// Contract: `logCustomEvent` is called for one event at a time, in the order of tracking. Names and properties already
/// comply with Braze's rules. The method may be isolated to an actor. It returns without waiting for the disk or the
/// network.
public protocol BrazeSDKAdapter: Sendable {
    /// Passes an event to the SDK, which stamps, stores and sends it.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - properties: The event's properties.
    ///   - userID: The user at the time of tracking, if any. If the SDK has another user, the adapter changes it first.
    /// - Throws: An error if the SDK cannot accept the event.
    func logCustomEvent(_ name: String, properties: EventParameters, userID: String?) async throws(SDKError)
}
