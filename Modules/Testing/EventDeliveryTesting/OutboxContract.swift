package import CoreTracker
package import EventDelivery

/// The contract of `Outbox`, which is checked step by step on an empty outbox.
///
/// It throws at the first violation, so it works in Swift Testing and XCTest.
package enum OutboxContract {
    /// A violation of a rule.
    package struct Violation: Error, CustomStringConvertible {
        package let description: String
    }

    /// Checks an empty outbox.
    ///
    /// Afterwards it is empty again, except for the ledgers of its lanes.
    ///
    /// - Parameter outbox: The outbox to check.
    /// - Throws: ``Violation``, or an error of the outbox.
    package static func check(_ outbox: some Outbox) throws {
        try checkOrder(outbox)
        try checkReplacing(outbox)
        try checkBatches(outbox)
        try checkHeld(outbox)
        try checkQuarantine(outbox)
        try checkBooks(outbox)
        try checkPurge(outbox)
    }

    /// Returns a segment with one event for each text.
    ///
    /// - Parameters:
    ///   - lane: The number of the lane.
    ///   - number: The number of the segment and of its first event.
    ///   - priority: The priority of the events.
    ///   - texts: The fragments of the events.
    /// - Returns: The segment.
    package static func segment(
        lane: Int,
        number: Int64,
        priority: TrackOptions.Priority = .normal,
        texts: [String] = ["{}"]
    ) -> Segment {
        let moment = StoredMoment(
            wall: Timestamp(microseconds: number),
            monotonic: MonotonicInstant(nanoseconds: number),
            boot: 7
        )
        let place = SegmentPlace(lane: lane, number: number)
        var segment = Segment(place: place, priority: priority, key: "k\(number % 3)", stored: moment)
        for (offset, text) in texts.enumerated() {
            segment.append(id: id(lane: lane, number: number + Int64(offset)), fragment: Array(text.utf8))
        }
        return segment
    }

    /// Returns the id of an event.
    ///
    /// - Parameters:
    ///   - lane: The number of the lane.
    ///   - number: The number of the event.
    /// - Returns: The id.
    package static func id(lane: Int, number: Int64) -> EventID {
        EventID(high: UInt64(lane) << 16 | 0x7000, low: UInt64(bitPattern: number))
    }

    private static func checkOrder(_ outbox: some Outbox) throws {
        let segments = [3, 1, 2].map { segment(lane: 1, number: $0, texts: ["{\"n\":\($0)}"]) }
        var change = OutboxChange()
        change.inserted = segments + [segment(lane: 2, number: 1)]
        try outbox.commit(change, barrier: false)

        let found = try outbox.summaries(lane: 1, after: nil, limit: 10)
        try expect(found.map(\.place.number) == [1, 2, 3], "segments come in the order of their places")
        let page = try outbox.summaries(lane: 1, after: found[0].place, limit: 1)
        try expect(page.map(\.place.number) == [2], "a page begins after its start and respects its limit")
        try expect(outbox.segment(at: segments[0].place) == segments[0], "a segment is read as it was stored")
        try expect(outbox.segment(at: SegmentPlace(lane: 1, number: 9)) == nil, "an empty place is nil")
        try expect(outbox.lastSummary(lane: 1)?.place.number == 3, "the last segment is found")
        try expect(outbox.usage(lane: 1).totalEvents == 3, "the events of a lane are counted")
        try expect(outbox.usage(lane: 1).oldest == segments[1].stored, "the time of the oldest segment is returned")
    }

    private static func checkReplacing(_ outbox: some Outbox) throws {
        let longer = segment(lane: 1, number: 1, texts: ["{\"a\":1}", "{\"b\":2}"])
        var change = OutboxChange()
        change.removed = [longer.place, SegmentPlace(lane: 1, number: 2), SegmentPlace(lane: 1, number: 99)]
        change.inserted = [longer]
        try outbox.commit(change, barrier: true)

        let found = try outbox.summaries(lane: 1, after: nil, limit: 10)
        try expect(found.map(\.count) == [2, 1], "removals come before insertions")
        try expect(outbox.usage(lane: 1).totalEvents == 3, "a replacement is counted")
        try expect(outbox.usage(lane: 1) == outbox.recount(lane: 1), "the running count agrees with the rows")
    }

    private static func checkBatches(_ outbox: some Outbox) throws {
        let late = StoredBatch(id: id(lane: 9, number: 1), segments: [SegmentPlace(lane: 1, number: 3)])
        var early = StoredBatch(id: id(lane: 9, number: 2), segments: [SegmentPlace(lane: 1, number: 1)])
        var change = OutboxChange()
        change.savedBatches = [late, early]
        try outbox.commit(change, barrier: false)
        try expect(outbox.batches(lane: 1) == [early, late], "batches come in the order of their first segments")

        early.attempts = 4
        early.suspicion = .half
        change = OutboxChange()
        change.savedBatches = [early]
        change.removedBatches = [late.id]
        try outbox.commit(change, barrier: false)
        try expect(outbox.batches(lane: 1) == [early], "a batch replaces its old state, and can be removed")
    }

    private static func checkHeld(_ outbox: some Outbox) throws {
        let held = segment(lane: 2, number: 5)
        var change = OutboxChange()
        change.insertedHeld = [held, segment(lane: 2, number: 6)]
        try outbox.commit(change, barrier: false)
        try expect(outbox.heldSegments(lane: 2).map(\.place.number) == [5, 6], "held segments are listed in order")
        try expect(outbox.summaries(lane: 2, after: nil, limit: 9).count == 1, "held segments are not delivered")
        try expect(outbox.lastSummary(lane: 2)?.place.number == 6, "the last segment can be a held one")

        change = OutboxChange()
        change.grantedLanes = [2]
        change.insertedHeld = [segment(lane: 2, number: 7)]
        try outbox.commit(change, barrier: false)
        try expect(outbox.segment(at: held.place) == held, "a grant makes held segments deliverable")
        try expect(outbox.heldSegments(lane: 2).map(\.place.number) == [7], "a segment inserted by a grant is held")
        let usage = try outbox.usage(lane: 2)
        try expect(usage.totalEvents == 3 && usage.heldEvents == 1, "a grant is counted")
    }

    private static func checkQuarantine(_ outbox: some Outbox) throws {
        let lane = LaneID(product: "T", service: "a")
        let events = (1...3).map { number in
            QuarantinedEvent(
                id: id(lane: 1, number: 50 + number),
                lane: number == 3 ? LaneID(product: "T", service: "b") : lane,
                reason: "status 400",
                response: "no",
                time: Timestamp(microseconds: 9),
                fragment: [1, 2, 3],
                key: "k"
            )
        }
        var change = OutboxChange()
        change.insertedQuarantined = events
        try outbox.commit(change, barrier: false)
        try expect(outbox.quarantined(lane: nil, limit: 9) == events, "quarantined events are listed oldest first")
        try expect(outbox.quarantined(lane: lane, limit: 1) == [events[0]], "they are listed by lane, up to a limit")

        change = OutboxChange()
        change.removedQuarantined = [events[0].id]
        try outbox.commit(change, barrier: false)
        try expect(outbox.quarantined(lane: lane, limit: 9) == [events[1]], "a quarantined event is removed")
    }

    private static func checkBooks(_ outbox: some Outbox) throws {
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "a"))
        lane.nextNumber = 4
        lane.learnedBodyBytes = 5
        lane.retryState = StoredRetryState(remaining: .seconds(3), reason: "paused:endpoint", failures: 2)
        lane.retryState.pausedSince = Timestamp(microseconds: 1_772_359_200_000_000)
        lane.retryState.configuration = 40_000
        lane.lastSuccess = Timestamp(microseconds: 11)
        let other = StoredLane(number: 2, id: LaneID(product: "T", service: "b"))
        var change = OutboxChange()
        change.lanes = [other, lane]
        try outbox.commit(change, barrier: true)
        try expect(outbox.lanes() == [lane, other], "lanes are read as they were stored, ordered by number")
        try expect(outbox.isPresent, "an open outbox is present")
        try outbox.maintain()
    }

    private static func checkPurge(_ outbox: some Outbox) throws {
        let lanes = try outbox.lanes()
        try outbox.purge([lanes[0]])
        try expect(outbox.usage(lane: 1) == LaneUsage() && outbox.batches(lane: 1).isEmpty, "a purge empties a lane")
        try expect(outbox.quarantined(lane: lanes[0].id, limit: 9).isEmpty, "a purge empties the lane's quarantine")
        try expect(outbox.usage(lane: 2).totalEvents == 3, "a purge does not change other lanes")
        try outbox.purge([lanes[1]])
        try expect(outbox.lanes() == lanes, "a purge keeps the lanes and their ledgers")
    }

    private static func expect(_ isKept: @autoclosure () throws -> Bool, _ promise: String) throws {
        if try !isKept() { throw Violation(description: "broken: \(promise)") }
    }
}
