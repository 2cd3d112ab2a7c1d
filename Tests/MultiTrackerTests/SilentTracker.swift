import CoreTracker
import MultiTracker

/// A tracker without any capability.
struct SilentTracker: Trackable {
    let type: TrackerType
}
