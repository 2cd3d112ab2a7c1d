public import CoreTracker
public import EventDelivery
public import MultiTracker

/// A tracker for Braze: named events, playback, navigation, taps, sign-ins and taps on the home button.
///
/// ```swift
/// let (engine, store) = (DeliveryEngine.shared, TrackerStore())
/// let instance = try Endpoint("https://rest.fra-01.braze.eu")
/// let braze = try BrazeConfiguration(endpoint: instance, apiKey: "se-cret")
/// let destination = BrazeDestination(product: "DL", configuration: braze)
/// let outcome = store.register(BrazeTracker(product: "DL", on: engine))
/// ```
///
/// Braze may charge for each event. To send fewer events, an app registers another tracker with fewer capabilities, or
/// disables Braze in the store's configuration. Calls return in about a microsecond. Nothing is sent before the app
/// opens the engine with a ``BrazeDestination``.
public struct BrazeTracker: Trackable {
    private let lane: DeliveryLane
    private let defaults: @Sendable () -> EventParameters

    /// Creates the tracker of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - engine: The engine that delivers the events; by default, the app's shared engine.
    ///   - defaults: Returns default parameters. It is called inside each call, on the caller's thread. The event's own
    ///     parameters override them.
    public init(
        product: String,
        on engine: DeliveryEngine = .shared,
        defaults: @escaping @Sendable () -> EventParameters = { [:] }
    ) {
        lane = engine.lane(.braze(product: product))
        self.defaults = defaults
    }

    public var type: TrackerType { .braze }

    private func send(_ name: String, _ parameters: EventParameters = [:]) {
        lane.track(name, parameters: parameters, defaults: defaults())
    }
}

extension BrazeTracker: LossLedger {
    public func record(_ loss: TrackingLoss) { lane.record(loss) }
}

extension BrazeTracker: ConsentGatedTrackable {
    public var isConsentDenied: Bool { lane.isConsentDenied }
}

extension BrazeTracker: VendorEventTrackable {
    public func track(_ event: VendorEvent) { lane.track(event, over: defaults()) }
}

extension BrazeTracker: PlaybackTrackable {
    public func trackPlay() { send("play_start") }
    public func trackPause() { send("play_pause") }
    public func trackStop() { send("play_stop") }
    public func trackNext() { send("play_next") }
    public func trackPrevious() { send("play_previous") }
}

extension BrazeTracker: HomeTrackable {
    public func trackLogin() { send("login") }
}

extension BrazeTracker: HomeTapTrackable {
    public func trackHomeTap(extraParam: String) { send("home_tap", ["extra_param": .string(extraParam)]) }
}

extension BrazeTracker: ViewNavigationTrackable {
    public func trackNavigate(toView: String, fromView: String) {
        send("navigate", ["to_view": .string(toView), "from_view": .string(fromView)])
    }
}

extension BrazeTracker: NavigationTrackable {
    public func trackBackTap(fromView: String) { send("back_tap", ["from_view": .string(fromView)]) }
    public func trackSettingsOpen(fromView: String) { send("settings_open", ["from_view": .string(fromView)]) }
}

extension BrazeTracker: TapTrackable {
    public func trackTap(on element: String, fromView: String) {
        send("element_tap", ["element": .string(element), "from_view": .string(fromView)])
    }
}

extension TrackerType {
    /// The customer engagement platform Braze.
    public static let braze: TrackerType = "braze"
}

extension LaneID {
    /// Returns the lane of a product's Braze events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    /// - Returns: The lane `<product>/braze`.
    public static func braze(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.braze.name)
    }

    /// Returns the lane of a product's profile updates for Braze.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    public static func brazeProfiles(product: String) -> LaneID {
        LaneID(product: product, service: "brazeProfiles")
    }
}
