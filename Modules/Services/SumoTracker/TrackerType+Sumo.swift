public import CoreTracker

extension TrackerType {
    /// Sumo Logic.
    public static let sumo: TrackerType = "sumo"
}
