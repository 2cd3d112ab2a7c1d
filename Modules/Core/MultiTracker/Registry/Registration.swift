import CoreTracker

/// A registered tracker with the capabilities that every call needs, cast once at registration.
final class Registration: Sendable {
    /// The tracker's type at the time of registration.
    let type: TrackerType
    /// The tracker, for capabilities that are resolved later.
    let tracker: any Trackable
    /// The tracker as a receiver of named events, if it has the capability.
    let vendorEvents: (any VendorEventTrackable)?
    /// The tracker as a source of its user's consent, if it has the capability.
    let consentGate: (any ConsentGatedTrackable)?

    /// Creates a registration and casts the tracker to the common capabilities.
    init(_ tracker: any Trackable) {
        type = tracker.type
        self.tracker = tracker
        vendorEvents = tracker as? any VendorEventTrackable
        consentGate = tracker as? any ConsentGatedTrackable
    }

    /// Whether the user currently denies consent for this tracker.
    var isConsentDenied: Bool { consentGate?.isConsentDenied == true }
}
