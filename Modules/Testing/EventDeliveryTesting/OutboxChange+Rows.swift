package import EventDeliveryAPI
package import EventOutbox

/// Several rows of one kind at once.
extension OutboxChange {
    package mutating func save(segments: [Segment]) { for segment in segments { save(segment) } }
    package mutating func save(lanes: [StoredLane]) { for lane in lanes { save(lane) } }
    package mutating func save(batches: [StoredBatch]) { for batch in batches { save(batch) } }
    package mutating func save(quarantined: [QuarantinedEvent]) { for event in quarantined { save(event) } }
    package mutating func save(decisions: [DecisionRow]) { for decision in decisions { save(decision) } }
    package mutating func save(erasures: [ErasureRow]) { for erasure in erasures { save(erasure) } }
    package mutating func remove(segments places: [SegmentPlace]) { for place in places { remove(place) } }
}
