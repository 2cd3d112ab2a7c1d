import CoreTracker

/// A call of one service that no typed event stands behind.
struct ServiceCall: CoreTrackable {
    /// What the service was handed.
    let service: EventService

    var services: [EventService] { [service] }
}
