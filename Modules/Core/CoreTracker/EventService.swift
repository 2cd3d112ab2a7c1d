/// A service that an event goes to, with the event for that service.
///
/// A new vendor does not add a case. A ``VendorEvent`` names its vendor by a ``TrackerType``.
public enum EventService: Sendable, Hashable {
    /// Firebase Analytics.
    case firebase(FirebaseEvent)
    /// AwesomeTracking, the in-house service.
    case awesomeTracking(AwesomeTrackingEvent)
    /// The vendor that the app has registered under the event's type.
    case vendor(VendorEvent)
}

extension EventService {
    /// The event for the service.
    package var event: any ServiceEvent {
        switch self {
        case .firebase(let event): event
        case .awesomeTracking(let event): event
        case .vendor(let event): event
        }
    }

    /// The service's name, which is also the name of its lanes.
    package var serviceName: String {
        switch self {
        case .firebase: "firebase"
        case .awesomeTracking: "awesomeTracking"
        case .vendor(let event): event.type.name
        }
    }

    /// Adds the default parameters of a wider scope to the event.
    mutating func scope(by wider: EventParameters) {
        switch self {
        case .firebase(var event):
            event.scope(by: wider)
            self = .firebase(event)
        case .awesomeTracking(var event):
            event.scope(by: wider)
            self = .awesomeTracking(event)
        case .vendor(var event):
            event.scope(by: wider)
            self = .vendor(event)
        }
    }
}
