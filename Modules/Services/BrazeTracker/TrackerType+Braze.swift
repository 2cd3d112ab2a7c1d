public import CoreTracker

extension TrackerType {
    /// The customer engagement platform Braze.
    public static let braze: TrackerType = "braze"
}
