public import CoreTracker
import EventDelivery
public import MeasurementProtocol
public import SDKDelivery
public import VendorRules

/// A destination that passes a lane's events to the Firebase SDK, for an app that links it.
///
/// It has the same lane as ``FirebaseDestination``. The SDK stamps each event with the time of the call. The
/// event's own id and time are therefore sent as `event_id` and `event_time_ms`.
public final class FirebaseSDKDestination: SDKDestination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let rules: EventRules
    private let adapter: any FirebaseSDKAdapter

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - adapter: Passes the events to the SDK.
    ///   - rules: The SDK's rules. Two of the parameters that they allow are reserved for the event's id and time.
    ///   - purpose: The consent purpose of the events.
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

    /// Passes an event to the adapter, with the event's id and time as two further parameters.
    ///
    /// - Parameter event: The event.
    /// - Throws: The adapter's error.
    public func send(_ event: SDKEvent) async throws(SDKError) {
        try await adapter.logEvent(event.name, parameters: event.stampedParameters, userID: event.userID)
    }
}

/// A connection to the Firebase SDK.
public typealias FirebaseSDKAdapter = MeasurementProtocol.FirebaseSDKAdapter
