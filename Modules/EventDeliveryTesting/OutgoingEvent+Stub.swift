public import CoreTracker
public import EventDelivery

extension OutgoingEvent {
    /// Returns an event for tests.
    ///
    /// By default, it was tracked 1.25 s after the start of the stub session.
    public static func stub(
        id: EventID = .stub(),
        name: String = "play_start",
        parameters: EventParameters = [:],
        defaults: EventParameters = [:],
        time: Timestamp = Timestamp(microseconds: 1_772_359_201_250_000),
        identity: Identity = .stub()
    ) -> OutgoingEvent {
        OutgoingEvent(
            id: id,
            name: name,
            parameters: parameters,
            defaults: defaults,
            time: time,
            identity: identity,
            sequence: 1
        )
    }
}
