public import CoreTracker
public import EventDelivery
public import MultiTracker

/// Braze behind a product's trackers: takes named events, playback, and what happens on the home screen.
///
/// Navigation is left out on purpose: Braze bills by the event, and campaigns are not triggered by ways between views.
/// Calls return in about a microsecond; until the app opens the engine with a ``BrazeDestination``, nothing is sent.
public struct BrazeTracker: Trackable {
    private let lane: DeliveryLane
    private let defaults: @Sendable () -> EventParameters

    /// Creates the tracker of a product, by the product's prefix such as `DL`.
    ///
    /// `defaults` is evaluated inside each call, on the caller's thread; the event's own parameters win over it.
    public init(
        product: String,
        delivery: DeliveryEngine,
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
    public func track(_ event: VendorEvent) { send(event.name, event.parameters) }
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
    public func trackNavigate(toView: String) { send("home_navigate", ["to_view": .string(toView)]) }
}

extension BrazeTracker: HomeTapTrackable {
    public func trackHomeTap() { send("home_tap") }
}
