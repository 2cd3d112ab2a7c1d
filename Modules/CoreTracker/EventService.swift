/// One service that an event goes to, with the event as that service takes it.
///
/// A new vendor adds no case here: a ``VendorEvent`` names it by its ``TrackerType``.
public enum EventService: Sendable, Hashable {
    /// Firebase Analytics.
    case firebase(FirebaseEvent)
    /// AwesomeTracking, the in-house service.
    case awesomeTracking(AwesomeTrackingEvent)
    /// The vendor that the app has registered under the event's type.
    case vendor(VendorEvent)
}

extension EventService {
    /// The event as its service takes it.
    package var event: any ServiceEvent {
        switch self {
        case .firebase(let event): event
        case .awesomeTracking(let event): event
        case .vendor(let event): event
        }
    }

    /// The service's name, which is also that of its lanes.
    package var serviceName: String {
        switch self {
        case .firebase: "firebase"
        case .awesomeTracking: "awesomeTracking"
        case .vendor(let event): event.type.name
        }
    }

    /// Adds the default parameters of a wider scope to the event, in its place.
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
