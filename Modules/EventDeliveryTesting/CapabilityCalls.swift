public import CoreTracker
public import EventDelivery
public import MultiTracker

/// Every capability of `MultiTracker` called once, for golden files of what a vendor's tracker makes of it.
public enum CapabilityCalls {
    /// Calls all capabilities of a tracker, each argument with a value of its own.
    public static func callAll(of tracker: Tracker) {
        tracker.trackPlay()
        tracker.trackPause()
        tracker.trackStop()
        tracker.trackNext()
        tracker.trackPrevious()
        tracker.trackNavigate(toView: "detail", fromView: "list")
        tracker.trackBackTap(fromView: "detail")
        tracker.trackSettingsOpen(fromView: "account")
        tracker.trackTabSelect(view: "basket")
        tracker.trackDeepLinkOpen(toView: "campaign")
        tracker.optionalTrackTap()
        tracker.trackTap(on: "buy", fromView: "basket")
        tracker.trackLogin()
        tracker.trackHomeTap(extraParam: "summer sale")
    }

    /// Calls all capabilities of a tracker, each argument with a value of its own, and tracks one named event.
    public static func callAll(of tracker: Tracker, vendor: TrackerType) {
        callAll(of: tracker)
        let event = VendorEvent(vendor, "signed_up", ["channel": "web", "plan": "family"])
        tracker.track(event.scoped(by: ["screen": "account", "plan": "single"]))
    }

    /// Returns the lines that the calls become on a vendor's wire: one for each event of its one request.
    ///
    /// The ids of events and of the installation differ from run to run and stand as `‹id›`. The store must hold the
    /// vendor's tracker on the same engine, which must not be open yet: what is held until then shares a request.
    public static func wire(
        of store: TrackerStore,
        on engine: DeliveryEngine,
        to destination: any Destination,
        vendor: TrackerType
    ) async throws -> String {
        let transport = ScriptedTransport()
        engine.identify(user: "u-8841")
        engine.startSession(id: "s-1")
        callAll(of: Tracker(trackerStore: store), vendor: vendor)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport))
        await engine.close(deadline: .seconds(5))
        try await LedgerCheck.check(engine)
        return transport.requests.map { masked(String(decoding: $0.body, as: UTF8.self)) }.joined(separator: "\n")
    }

    private static func masked(_ body: String) -> String {
        body.replacing(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}/, with: "‹id›")
            .replacing("},{", with: "},\n{")
    }
}
