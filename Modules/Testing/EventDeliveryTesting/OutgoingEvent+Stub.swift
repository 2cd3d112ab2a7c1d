public import CoreTracker
public import EventDelivery
package import EventOutbox

extension OutgoingEvent {
    /// Returns an event for tests.
    ///
    /// - Parameters:
    ///   - id: The id of the event.
    ///   - name: The name of the event.
    ///   - parameters: The event's parameters.
    ///   - defaults: The product's default parameters.
    ///   - time: The time of tracking. The default is 1.25 s after the start of the stub session.
    ///   - identity: The identity of the installation, user and session.
    ///   - update: The kind of profile update, if any.
    /// - Returns: The event, with the sequence number 1.
    public static func stub(
        id: EventID = .stub(),
        name: String = "play_start",
        parameters: EventParameters = [:],
        defaults: EventParameters = [:],
        time: Timestamp = Timestamp(microseconds: 1_772_359_201_250_000),
        identity: Identity = .stub(),
        update: ProfileUpdate? = nil
    ) -> OutgoingEvent {
        OutgoingEvent(
            id: id,
            name: name,
            parameters: parameters,
            defaults: defaults,
            time: time,
            identity: identity,
            sequence: 1,
            update: update
        )
    }
}

extension Segment {
    /// Returns a segment with an event for each id.
    ///
    /// - Parameters:
    ///   - lane: The number of the lane.
    ///   - number: The number of the segment.
    ///   - ids: The numbers of the ids. They are also the fragments of the events.
    ///   - key: The batch key.
    ///   - priority: The priority of the events.
    /// - Returns: The segment.
    package static func stub(
        lane: Int = 1,
        number: Int64 = 1,
        ids: ClosedRange<UInt16> = 1...2,
        key: String = "",
        priority: TrackOptions.Priority = .normal
    ) -> Segment {
        let moment = StoredMoment(
            wall: Timestamp(microseconds: 1_772_359_200_000_000),
            monotonic: MonotonicInstant(nanoseconds: 1),
            boot: 7
        )
        let place = SegmentPlace(lane: lane, number: number)
        var segment = Segment(place: place, priority: priority, key: key, stored: moment)
        for id in ids { segment.append(id: .stub(id), fragment: Array("\(id)".utf8)) }
        return segment
    }
}

extension Identity {
    /// Returns an identity for tests.
    ///
    /// - Parameters:
    ///   - deviceID: The id of the installation.
    ///   - userID: The id of the user, if any.
    ///   - sessionID: The id of the session.
    ///   - sessionStart: The start of the session. The default is 10:00 on 1 March 2026 UTC.
    /// - Returns: The identity.
    public static func stub(
        deviceID: String = "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        userID: String? = nil,
        sessionID: String = "s-1",
        sessionStart: Timestamp = Timestamp(microseconds: 1_772_359_200_000_000)
    ) -> Identity {
        Identity(deviceID: deviceID, userID: userID, sessionID: sessionID, sessionStart: sessionStart)
    }
}

extension EventID {
    /// Returns an id for tests.
    ///
    /// - Parameter number: The number at the end of the id.
    /// - Returns: A version 7 UUID.
    public static func stub(_ number: UInt16 = 1) -> EventID {
        EventID(high: 0x0195_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }
}

extension EventParameters {
    /// Returns a number of parameters, `p0`, `p1` and so on, with their numbers as values.
    ///
    /// - Parameter count: The number of parameters.
    /// - Returns: The parameters.
    package static func numbered(_ count: Int) -> EventParameters {
        EventParameters((0..<count).map { (ParameterKey("p\($0)"), .int($0)) })
    }
}
