package import CoreTracker
package import EventDelivery

extension Pack {
    /// Returns a pack with an event for each id.
    ///
    /// - Parameters:
    ///   - lane: The number of the lane.
    ///   - number: The number of the pack.
    ///   - ids: The numbers of the ids. They are also the fragments of the events.
    ///   - key: The batch key.
    ///   - priority: The priority of the events.
    /// - Returns: The pack.
    package static func stub(
        lane: Int = 1,
        number: Int64 = 1,
        ids: ClosedRange<UInt16> = 1...2,
        key: String = "",
        priority: TrackOptions.Priority = .normal
    ) -> Pack {
        let moment = StoredMoment(
            wall: Timestamp(microseconds: 1_772_359_200_000_000),
            monotonic: MonotonicInstant(nanoseconds: 1),
            boot: 7
        )
        let place = PackPlace(lane: lane, number: number)
        var pack = Pack(place: place, priority: priority, key: key, stored: moment)
        for id in ids { pack.append(id: .stub(id), fragment: Array("\(id)".utf8)) }
        return pack
    }
}
