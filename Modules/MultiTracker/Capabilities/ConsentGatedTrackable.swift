/// The ability of a tracker to say that its user has refused consent.
///
/// ``Tracker`` asks before each call and counts what it keeps back. A tracker whose user has not decided yet answers
/// `false` and holds the events itself.
public protocol ConsentGatedTrackable: Trackable {
    /// Whether the user has refused the purpose that this tracker serves; quick, from any thread.
    var isConsentDenied: Bool { get }
}
