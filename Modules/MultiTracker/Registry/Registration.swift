import CoreTracker

/// A registered tracker with what was found out about it once, at its registration.
final class Registration: Sendable {
    /// The tracker's type as it was at registration.
    let type: TrackerType
    /// The tracker, for capabilities that are asked for later.
    let tracker: any Trackable
    /// The tracker as taker of named events, if it is one.
    let vendorEvents: (any VendorEventTrackable)?
    /// The tracker as guard of its user's consent, if it is one.
    let consentGate: (any ConsentGatedTrackable)?

    /// Resolves what every tracker is asked for.
    init(_ tracker: any Trackable) {
        type = tracker.type
        self.tracker = tracker
        vendorEvents = tracker as? any VendorEventTrackable
        consentGate = tracker as? any ConsentGatedTrackable
    }

    /// Whether the user has refused consent for this tracker, now.
    var isConsentDenied: Bool { consentGate?.isConsentDenied == true }
}
