/// The capability to report that the user has denied consent.
///
/// ``Tracker`` reads it before each call and counts the calls that it withholds. If the user has not decided yet, the
/// tracker returns `false` and holds the events itself.
public protocol ConsentGatedTrackable: Trackable {
    /// Whether the user has denied the purpose of this tracker.
    ///
    /// It is read on any thread and returns quickly.
    var isConsentDenied: Bool { get }
}
