import CoreTracker

/// A direct call of a service, without a typed event.
struct ServiceCall: CoreTrackable {
    /// The service and the event that it received.
    let service: EventService

    var services: [EventService] { [service] }
}
