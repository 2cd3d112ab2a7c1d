/// One service that an event goes to, with the event as that service takes it.
///
/// A new vendor adds no case here: it is named by its ``TrackerType`` in ``vendor(_:_:)``.
public enum EventService: Sendable, Hashable {
    /// Firebase Analytics.
    case firebase(FirebaseEvent)
    /// AwesomeTracking, the in-house service.
    case awesomeTracking(AwesomeTrackingEvent)
    /// A vendor that the app has registered under the given type.
    case vendor(TrackerType, VendorEvent)
}

extension EventService {
    /// Addresses an event to the vendor that the app has registered under a type.
    @inlinable
    public static func vendor(
        _ type: TrackerType,
        _ name: String,
        _ parameters: EventParameters = [],
        options: TrackOptions = TrackOptions()
    ) -> EventService {
        .vendor(type, VendorEvent(name, parameters, options: options))
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
        case .vendor(let type, var event):
            event.scope(by: wider)
            self = .vendor(type, event)
        }
    }
}
