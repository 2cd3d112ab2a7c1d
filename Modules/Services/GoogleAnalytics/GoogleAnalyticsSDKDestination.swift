public import CoreTracker
public import EventDelivery
public import SDKDelivery

/// A destination that passes a lane's events to the Google Analytics SDK, for an app that links it.
///
/// The SDK stamps each event with the time of the call. The event's own id and time are therefore sent as `event_id`
/// and `event_time_ms`.
public struct GoogleAnalyticsSDKDestination: SDKDestination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let rules: EventRules
    private let logger: any GoogleEventLogger

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - logger: Passes the events to the SDK.
    ///   - rules: The SDK's rules. Two of the parameters that they allow are reserved for the event's id and time.
    ///   - purpose: The purpose that the user consents to.
    public init(
        product: String,
        logger: any GoogleEventLogger,
        rules: EventRules = .googleAnalyticsSDK,
        purpose: ConsentPurpose = .analytics
    ) {
        lane = .googleAnalytics(product: product)
        self.logger = logger
        var rules = rules
        rules.maximumParameters -= 2
        self.rules = rules
        self.purpose = purpose
    }

    /// Passes an event to the logger, with the event's id and time as two further parameters.
    ///
    /// - Parameter event: The event.
    /// - Throws: The logger's error.
    public func send(_ event: SDKEvent) async throws(SDKError) {
        try await logger.logEvent(event.name, parameters: event.stampedParameters, userID: event.userID)
    }
}

/// A connection to the Google Analytics SDK.
///
/// An app that links the SDK declares a conforming type.
///
/// Contract: `logEvent` is called for one event at a time, in the order of tracking. Names and values already comply
/// with the SDK's rules. The method may be isolated to an actor. It returns without waiting for the disk or the
/// network.
///
/// ```swift
/// struct SDKLogger: GoogleEventLogger {
///     func logEvent(_ name: String, parameters: EventParameters, userID: String?) {
///         Analytics.logEvent(name, parameters: parameters.dictionary)
///     }
/// }
/// ```
public protocol GoogleEventLogger: Sendable {
    /// Passes an event to the SDK, which stamps, stores and sends it.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - parameters: The event's parameters.
    ///   - userID: The user at the time of tracking, if any. The SDK may have another user by now.
    /// - Throws: An error if the SDK cannot accept the event.
    func logEvent(_ name: String, parameters: EventParameters, userID: String?) async throws(SDKError)
}
