public import CoreTracker

extension TrackerType {
    /// Braze.
    public static let braze: TrackerType = "braze"
}
