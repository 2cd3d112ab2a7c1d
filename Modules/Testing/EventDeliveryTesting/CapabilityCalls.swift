package import CoreTracker
package import EventDelivery
package import MultiTracker

/// Calls of every capability of `MultiTracker`, for golden files of a vendor tracker's events.
///
/// ```swift
/// let bodies = try await CapabilityCalls.bodies(of: store, on: engine, to: destination, vendor: .braze)
/// ```
package enum CapabilityCalls {
    /// Calls all capabilities of a tracker once, with a different value for each argument.
    ///
    /// - Parameter tracker: The tracker to call.
    package static func callAll(of tracker: Tracker) {
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

    /// Calls all capabilities of a tracker once, and tracks one named event.
    ///
    /// - Parameters:
    ///   - tracker: The tracker to call.
    ///   - vendor: The vendor of the named event.
    package static func callAll(of tracker: Tracker, vendor: TrackerType) {
        callAll(of: tracker)
        let event = VendorEvent(vendor, "signed_up", ["channel": "web", "plan": "family"])
        tracker.track(event.withDefaults(["screen": "account", "plan": "single"]))
    }

    /// Returns the request bodies for the calls, with one event per line.
    ///
    /// The ids of events and of the installation differ between runs and are replaced by `‹id›`. The engine must not be
    /// open yet, because only events that wait for it share a request.
    ///
    /// - Parameters:
    ///   - store: The store with the vendor's tracker, which must use the same engine.
    ///   - engine: The engine, which is opened and closed.
    ///   - destination: The vendor's destination.
    ///   - vendor: The vendor.
    /// - Returns: The lines of the bodies.
    /// - Throws: An error if the engine cannot be opened, or a `ContractViolation` if a ledger does not balance.
    package static func bodies(
        of store: TrackerStore,
        on engine: DeliveryEngine,
        to destination: any Destination,
        vendor: TrackerType
    ) async throws -> String {
        let transport = ScriptedTransport()
        engine.user.identify("u-8841")
        engine.startSession(id: "s-1")
        callAll(of: Tracker(trackerStore: store), vendor: vendor)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport))
        await engine.close(timeout: .seconds(5))
        try await LedgerCheck.check(engine)
        return transport.requests.map { masked(String(decoding: $0.body, as: UTF8.self)) }.joined(separator: "\n")
    }

    private static func masked(_ body: String) -> String {
        body.replacing(/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}/, with: "‹id›")
            .replacing("},{", with: "},\n{")
    }
}
