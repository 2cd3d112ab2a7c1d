public import CoreTracker

extension TrackerType {
    /// Adobe Experience Platform.
    public static let adobe: TrackerType = "adobe"
}
