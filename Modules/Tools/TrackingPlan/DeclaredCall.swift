import CoreTracker
import EventDelivery

/// The event that one service gets for an example.
struct DeclaredCall {
    /// The service's name, which is part of its lane's name.
    let service: String
    /// The event's name at the service.
    let name: String
    /// The event's parameters, including those of its scope.
    let parameters: EventParameters

    init(_ service: EventService, scope: EventParameters = []) {
        self.service = service.serviceName
        name = service.event.name
        parameters = scope.merging(service.event.parameters)
    }

    /// An identity that every service accepts.
    private static let identity = Identity(
        deviceID: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        userID: "u-1",
        sessionID: "s-1",
        sessionStart: Timestamp(microseconds: 1_772_359_200_000_000)
    )

    /// Returns the event as a destination with a purpose gets it, with the current time.
    func outgoing(for purpose: String) -> OutgoingEvent {
        OutgoingEvent(
            id: EventID(high: 0x0195_0000_0000_7000, low: 0x8000_0000_0000_0001),
            name: name,
            parameters: redacted(for: purpose),
            time: SystemClock().wallTime(),
            identity: DeclaredCall.identity,
            sequence: 1
        )
    }

    /// Returns the parameters as a destination with a purpose gets them.
    ///
    /// Hashed values have the usual length.
    func redacted(for purpose: String) -> EventParameters {
        parameters.redacted(for: purpose) { _ in String(repeating: "0", count: 64) }
    }
}
