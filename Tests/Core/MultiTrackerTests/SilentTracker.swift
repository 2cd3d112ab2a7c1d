import CoreTracker
import MultiTracker

/// A tracker without capabilities.
struct SilentTracker: Trackable {
    let type: TrackerType
}
