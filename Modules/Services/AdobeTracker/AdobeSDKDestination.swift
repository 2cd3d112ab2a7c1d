public import CoreTracker
public import EventDelivery
public import SDKDelivery
public import VendorRules

/// A destination that passes a lane's events to Adobe's Edge SDK, for an app that links it.
///
/// It has the same lane as ``AdobeDestination``. The events have the same `xdm` and `data`, but no identity of the
/// installation. The SDK adds its own (ECID), and replaces `_id` by an id of its own. The event's own id is therefore
/// also the member `event_uid` of `data`.
public struct AdobeSDKDestination: SDKDestination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    private let adapter: any AdobeSDKAdapter
    private let schema: AdobeSchema

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - adapter: Passes the events to the SDK.
    ///   - tenant: The tenant's namespace with its underscore, such as `_acme`. It is the member for custom fields.
    ///   - userNamespace: The namespace of signed-in users, which must exist in the sandbox.
    ///   - purpose: The consent purpose of the events.
    /// - Throws: A `ConfigurationError` if a namespace is invalid.
    public init(
        product: String,
        adapter: any AdobeSDKAdapter,
        tenant: String? = nil,
        userNamespace: String = "CRMID",
        purpose: ConsentPurpose = .analytics
    ) throws(ConfigurationError) {
        lane = .adobe(product: product)
        self.adapter = adapter
        schema = try AdobeSchema(tenant: tenant, userNamespace: userNamespace)
        self.purpose = purpose
    }

    public var rules: EventRules { .adobe }

    /// Passes an event to the adapter.
    ///
    /// - Parameter event: The event.
    /// - Throws: The adapter's error.
    public func send(_ event: SDKEvent) async throws(SDKError) {
        let (members, rest) = schema.split(event.parameters)
        var data = rest
        data["event_uid"] = .string(event.id.description)
        var xdm: EventParameters = [
            "_id": .string(event.id.description),
            "eventType": .string(event.name),
            "timestamp": .string(event.time.rfc3339),
        ]
        if let user = schema.identity(of: event.userID, isPrimary: false) {
            xdm["identityMap"] = .object([user.key: user.value])
        }
        try await adapter.sendEvent(xdm: xdm.merging(members), data: data)
    }
}

/// A connection to Adobe's Edge SDK.
///
/// If your app links the SDK, declare a conforming type.
///
/// Contract: `sendEvent` is called for one event at a time, in the order of tracking. The method may be isolated to an
/// actor. It returns without waiting for the disk or the network: the adapter creates an `ExperienceEvent` and passes
/// no completion handler.
public protocol AdobeSDKAdapter: Sendable {
    /// Passes an event to the SDK, which stores and sends it.
    ///
    /// - Parameters:
    ///   - xdm: The event's type, id, time and signed-in user, and the members of the schema.
    ///   - data: The other parameters, and the event's id as `event_uid`.
    /// - Throws: An error if the SDK cannot accept the event.
    func sendEvent(xdm: EventParameters, data: EventParameters) async throws(SDKError)
}
