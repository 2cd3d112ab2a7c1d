import CoreTracker
import MultiTracker

/// A tracker without capabilities.
struct NoOpTracker: Trackable {
    let type: TrackerType
}
