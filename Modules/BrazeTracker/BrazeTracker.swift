public import CoreTracker
public import EventDelivery
public import MultiTracker

/// A tracker for Braze: named events, playback, navigation, taps, sign-ins and taps on the home button.
///
/// Braze may charge for each event. An app that wants fewer events registers a tracker of its own with fewer
/// capabilities, or disables Braze in the store's configuration.
/// Calls return in about a microsecond; until the app opens the engine with a ``BrazeDestination``, nothing is sent.
public struct BrazeTracker: Trackable {
    private let lane: DeliveryLane
    private let defaults: @Sendable () -> EventParameters

    /// Creates the tracker of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - delivery: The engine that delivers; by default the app's shared one.
    ///   - defaults: Evaluated inside each call, on the caller's thread; the event's own parameters win over it.
    public init(
        product: String,
        delivery: DeliveryEngine = .shared,
        defaults: @escaping @Sendable () -> EventParameters = { [:] }
    ) {
        lane = delivery.lane(.braze(product: product))
        self.defaults = defaults
    }

    public var type: TrackerType { .braze }

    private func send(_ name: String, _ parameters: EventParameters = [:]) {
        lane.track(name, parameters: parameters, defaults: defaults())
    }
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
