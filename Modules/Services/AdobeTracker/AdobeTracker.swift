public import CoreTracker
public import EventDelivery
import Locks
public import MultiTracker

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A tracker for Adobe: named events, playback as media events, and navigation as page views.
///
/// ```swift
/// let (engine, store) = (DeliveryEngine.shared, TrackerStore())
/// let film = AdobeMedia(name: "dresses", playerName: "player", contentType: "vod", length: 94, channel: "app")
/// let adobe = try AdobeConfiguration(datastreamID: "ebebf826-a01f-4458-8cec-ef61de241c93", tenant: "_acme")
/// let destination = AdobeDestination(product: "DL", configuration: adobe)
/// let outcome = store.register(AdobeTracker(product: "DL", on: engine, media: { film }))
/// ```
///
/// Calls return in about a microsecond. Nothing is sent before the app opens the engine with an ``AdobeDestination``.
public final class AdobeTracker: Trackable {
    public let type = TrackerType.adobe

    private let engine: DeliveryEngine
    private let lane: DeliveryLane
    private let defaults: @Sendable () -> EventParameters
    private let media: @Sendable () -> AdobeMedia?
    private let makeSessionID: @Sendable () -> String
    private let session = Mutex(AdobeMediaSession())

    /// Creates the tracker of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - engine: The engine that delivers the events; by default, the app's shared engine.
    ///   - defaults: Returns default parameters. It is called inside each call, on the caller's thread. The event's own
    ///     parameters override them.
    ///   - media: Returns the player's current content. It is called inside each playback call. At a skip, it returns
    ///     the new title.
    ///   - makeSessionID: Returns the id of a new media session; by default, a random UUID.
    public init(
        product: String,
        on engine: DeliveryEngine = .shared,
        defaults: @escaping @Sendable () -> EventParameters = { [:] },
        media: @escaping @Sendable () -> AdobeMedia? = { nil },
        makeSessionID: (@Sendable () -> String)? = nil
    ) {
        self.engine = engine
        lane = engine.lane(.adobe(product: product))
        self.defaults = defaults
        self.media = media
        self.makeSessionID = makeSessionID ?? { UUID().uuidString.lowercased() }
    }

    private func send(_ name: String, _ parameters: EventParameters = [:]) {
        lane.track(name, parameters: parameters, defaults: defaults())
    }

    /// Sends media events under the session's lock, which keeps them in the session's order on the lane.
    private func sendMedia(_ body: (inout AdobeMediaSession) -> [AdobeMediaEvent]) {
        let defaults = defaults()
        session.withLock { session in
            session.setOrigin(
                AdobeMediaSession.Origin(
                    deviceID: engine.identity.deviceID,
                    user: engine.buffer.identity.userVersion,
                    erasure: engine.buffer.lastErasure,
                    denial: lane.denial,
                    isDenied: lane.isConsentDenied
                )
            )
            for event in body(&session) {
                lane.track(event.kind.rawValue, parameters: event.parameters, defaults: defaults)
            }
        }
    }

    private func sendView(_ name: String, _ parameters: EventParameters = [:]) {
        let page: EventParameters = ["webPageDetails": ["name": .string(name), "pageViews": ["value": 1]]]
        send("web.webpagedetails.pageViews", (["web": .object(page)] as EventParameters).merging(parameters))
    }

    private func sendInteraction(_ name: String, _ parameters: EventParameters = [:]) {
        let interaction: EventParameters = [
            "webInteraction": ["name": .string(name), "type": "other", "linkClicks": ["value": 1]]
        ]
        send("web.webinteraction.linkClicks", (["web": .object(interaction)] as EventParameters).merging(parameters))
    }
}

extension AdobeTracker: LossLedger {
    public func record(_ loss: TrackingLoss) { lane.record(loss) }
}

extension AdobeTracker: ConsentGatedTrackable {
    public var isConsentDenied: Bool { lane.isConsentDenied }
}

extension AdobeTracker: VendorEventTrackable {
    public func track(_ event: VendorEvent) { lane.track(event, over: defaults()) }
}

extension AdobeTracker: PlaybackTrackable {
    public func trackPlay() {
        let media = media()
        sendMedia { $0.play(media, makeID: makeSessionID) }
    }

    public func trackPause() {
        let media = media()
        sendMedia { $0.pause(media, makeID: makeSessionID) }
    }

    public func trackStop() {
        let media = media()
        sendMedia { $0.stop(media) }
    }

    public func trackNext() {
        let media = media()
        sendMedia { $0.skip(to: media, makeID: makeSessionID) }
    }

    public func trackPrevious() { trackNext() }
}

extension AdobeTracker: ViewNavigationTrackable {
    public func trackNavigate(toView: String, fromView: String) {
        sendView(toView, ["from_view": .string(fromView)])
    }
}

extension AdobeTracker: NavigationTrackable {
    public func trackBackTap(fromView: String) { sendInteraction("back_tap", ["from_view": .string(fromView)]) }
    public func trackSettingsOpen(fromView: String) {
        sendInteraction("settings_open", ["from_view": .string(fromView)])
    }
}

extension AdobeTracker: OptionalNavigationTrackable {
    public func optionalTrackTap() { sendInteraction("tap") }
}

extension AdobeTracker: TabTrackable {
    public func trackTabSelect(view: String) { sendView(view, ["entry": "tab"]) }
}

extension AdobeTracker: DeepLinkTrackable {
    public func trackDeepLinkOpen(toView: String) { sendView(toView, ["entry": "deep_link"]) }
}

extension AdobeTracker: TapTrackable {
    public func trackTap(on element: String, fromView: String) {
        sendInteraction(element, ["from_view": .string(fromView)])
    }
}

extension AdobeTracker: HomeTrackable {
    public func trackLogin() { send("userAccount.login") }
}

extension AdobeTracker: HomeTapTrackable {
    public func trackHomeTap(extraParam: String) {
        sendInteraction("home_tap", ["extra_param": .string(extraParam)])
    }
}

extension TrackerType {
    /// Adobe Experience Platform.
    public static let adobe: TrackerType = "adobe"
}

extension LaneID {
    /// Returns the lane of a product's Adobe events.
    ///
    /// - Parameter product: The product's prefix, such as `DL`.
    /// - Returns: The lane `<product>/adobe`.
    public static func adobe(product: String) -> LaneID {
        LaneID(product: product, service: TrackerType.adobe.name)
    }
}
