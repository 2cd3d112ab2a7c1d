public import CoreTracker
public import EventDelivery

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
    /// - Returns: The event, with the sequence number 1.
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
