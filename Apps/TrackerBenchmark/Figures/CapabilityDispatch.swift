import CoreTracker
import MultiTracker

/// A call of a capability with 64 registered trackers, 2 of them enabled and conforming; the floor is 2 of 2.
///
/// Of the other 62 every second one has the capability and is disabled.
struct CapabilityDispatch: Figure {
    private struct Player: Trackable, PlaybackTrackable {
        let type: TrackerType
        func trackPlay() {}
        func trackPause() {}
        func trackStop() {}
        func trackNext() {}
        func trackPrevious() {}
    }

    private struct Bystander: Trackable {
        let type: TrackerType
    }

    let name = "capability dispatch, 2 of 64 trackers"
    let budget = 1.3
    private let crowded = CapabilityDispatch.tracker(registered: 64)
    private let alone = CapabilityDispatch.tracker(registered: 2)

    func measure() -> Double { nanoseconds { crowded.trackPlay() } }

    func measureFloor() -> Double { nanoseconds { alone.trackPlay() } }

    private static func tracker(registered count: Int) -> Tracker {
        let store = TrackerStore(config: TrackerConfig(.only(["player 0", "player 1"])))
        for number in 0..<count {
            let isPlayer = number < 2 || number.isMultiple(of: 2)
            let type = TrackerType(isPlayer ? "player \(number)" : "bystander \(number)")
            _ = store.register(isPlayer ? Player(type: type) : Bystander(type: type))
        }
        return Tracker(trackerStore: store)
    }
}
