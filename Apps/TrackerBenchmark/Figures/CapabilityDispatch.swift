import CoreTracker
import MultiTracker

/// The time of a capability call with 64 registered trackers, of which 2 are enabled and conform.
///
/// The floor has only these 2. Half of the other 62 conform but are disabled.
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

    private static let row = Row("capability dispatch, 2 of 64 trackers", .nanoseconds, .timesFloor(1.3))

    let rows = [row]
    let runs = RunCount.many

    func measure(_ setting: Setting) -> [Sample] {
        let (crowded, alone) = (tracker(registered: 64), tracker(registered: 2))
        // The first turn warms up. Measure in turns, so a busy machine slows both alike.
        var (times, floors) = (Percentiles(), Percentiles())
        for turn in 0...10 {
            let time = Stopwatch.perCall(calls: 20_000) { crowded.trackPlay() }
            let floor = Stopwatch.perCall(calls: 20_000) { alone.trackPlay() }
            guard turn > 0 else { continue }
            times.add(Int64(time * 100))
            floors.add(Int64(floor * 100))
        }
        times.sort()
        floors.sort()
        return [Sample(row: Self.row.name, value: times.value(at: 0.5) / 100, floor: floors.value(at: 0.5) / 100)]
    }

    private func tracker(registered count: Int) -> Tracker {
        let store = TrackerStore(config: TrackerConfig(.only(["player 0", "player 1"])))
        for number in 0..<count {
            let isPlayer = number < 2 || number.isMultiple(of: 2)
            let type = TrackerType(isPlayer ? "player \(number)" : "bystander \(number)")
            store.register(isPlayer ? Player(type: type) : Bystander(type: type))
        }
        return Tracker(trackerStore: store)
    }
}
