public import CoreTracker
public import EventDelivery

/// Adobe by its Edge SDK, for an app that links it: the lane that is Adobe's otherwise ends in an adapter.
///
/// An event has the same `xdm` and `data` as towards the Edge Network itself, but for the installation, whose identity
/// (ECID) the SDK adds.
public struct AdobeSDKDestination: SDKDestination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    private let adapter: any AdobeSDKAdapter
    private let schema: AdobeSchema

    /// Creates the destination of a product, by the product's prefix such as `DL`.
    ///
    /// `tenant` is the member for custom fields with its underscore, such as `_acme`; `userNamespace` the identity
    /// namespace of signed-in users, which must exist in the sandbox.
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

    public func handOver(_ event: SDKEvent) async throws(SDKRefusal) {
        let (members, data) = schema.split(event.parameters)
        var xdm: EventParameters = [
            "_id": .string(event.id.description),
            "eventType": .string(event.name),
            "timestamp": .string(event.time.rfc3339),
        ]
        if let user = schema.identity(of: event.userID) { xdm["identityMap"] = .object([user.key: user.value]) }
        try await adapter.sendEvent(xdm: xdm.merging(members), data: data)
    }
}
