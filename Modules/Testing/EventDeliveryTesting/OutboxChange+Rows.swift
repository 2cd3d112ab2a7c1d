package import EventOutbox
package import EventTracking

/// Several rows of one kind at once.
extension OutboxChange {
    package mutating func save(segments: [Segment]) { for segment in segments { save(segment) } }
    package mutating func save(lanes: [StoredLane]) { for lane in lanes { save(lane) } }
    package mutating func save(quarantined: [QuarantinedEvent], lane: Int = 1) {
        for event in quarantined { save(event, lane: lane) }
    }
    package mutating func remove(segments places: [SegmentPlace]) { for place in places { remove(place) } }
}
