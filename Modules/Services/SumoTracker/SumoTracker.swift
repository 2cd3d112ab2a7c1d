public import CoreTracker
public import EventDelivery
public import MultiTracker

/// A tracker for Sumo Logic, with every capability.
///
/// ```swift
/// let (engine, store) = (DeliveryEngine.shared, TrackerStore())
/// let endpoint = try Endpoint("https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
/// let source = try SumoConfiguration(endpoint: endpoint, metadata: SumoMetadata(category: "mobile/ios/tracking"))
/// let destination = SumoDestination(product: "DL", configuration: source)
/// let outcome = store.register(SumoTracker(product: "DL", on: engine))
/// ```
///
/// Calls return in about a microsecond. Nothing is sent before the app opens the engine with a ``SumoDestination``.
public struct SumoTracker: Trackable {
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
        lane = engine.lane(.sumo(product: product))
        self.defaults = defaults
    }

    public var type: TrackerType { .sumo }

    private func send(_ name: String, _ parameters: EventParameters = [:]) {
        lane.track(name, parameters: parameters, defaults: defaults())
    }
}

extension SumoTracker: LossLedger {
    public func record(_ loss: TrackingLoss) { lane.record(loss) }
}

extension SumoTracker: ConsentGatedTrackable {
    public var isConsentDenied: Bool { lane.isConsentDenied }
}

extension SumoTracker: VendorEventTrackable {
    public func track(_ event: VendorEvent) { lane.track(event, over: defaults()) }
}

extension SumoTracker: PlaybackTrackable {
    public func trackPlay() { send("play_start") }
    public func trackPause() { send("play_pause") }
    public func trackStop() { send("play_stop") }
    public func trackNext() { send("play_next") }
    public func trackPrevious() { send("play_previous") }
}

extension SumoTracker: ViewNavigationTrackable {
    public func trackNavigate(toView: String, fromView: String) {
        send("navigate", ["to_view": .string(toView), "from_view": .string(fromView)])
    }
}

extension SumoTracker: NavigationTrackable {
    public func trackBackTap(fromView: String) { send("back_tap", ["from_view": .string(fromView)]) }
    public func trackSettingsOpen(fromView: String) { send("settings_open", ["from_view": .string(fromView)]) }
}

extension SumoTracker: OptionalNavigationTrackable {
    public func optionalTrackTap() { send("tap") }
}

extension SumoTracker: TabTrackable {
    public func trackTabSelect(view: String) { send("tab_select", ["view": .string(view)]) }
}

extension SumoTracker: DeepLinkTrackable {
    public func trackDeepLinkOpen(toView: String) { send("deep_link_open", ["to_view": .string(toView)]) }
}

extension SumoTracker: TapTrackable {
    public func trackTap(on element: String, fromView: String) {
        send("element_tap", ["element": .string(element), "from_view": .string(fromView)])
    }
}

extension SumoTracker: HomeTrackable {
    public func trackLogin() { send("login") }
}

extension SumoTracker: HomeTapTrackable {
    public func trackHomeTap(extraParam: String) { send("home_tap", ["extra_param": .string(extraParam)]) }
}

extension TrackerType {
    /// Sumo Logic.
    public static let sumo: TrackerType = "sumo"
}

extension LaneID {
    /// Returns the lane of a product's Sumo Logic events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    /// - Returns: The lane `<product>/sumo`.
    public static func sumo(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.sumo.name)
    }
}
