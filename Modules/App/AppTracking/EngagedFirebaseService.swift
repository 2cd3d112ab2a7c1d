public import CoreTracker
public import EventTracking
import Locks

/// A Firebase service that adds the user's engagement time to each event, as Google's SDK does.
///
/// Without it, each event states the least time, 1 ms, by which Google counts the user as active. The time is that in
/// which the app was active since the service's last event, as an ``AppDelivery`` of the same engine reports it. An
/// event with an `engagement_time_msec` of its own keeps it.
///
/// Create one service for each product, and share it among all trackers. A second one would report the active time
/// since the start of the process again, and Google adds the times of all events.
///
/// ```swift
/// extension DLTracker {
///     static let shared = DLTracker(firebaseService: EngagedFirebaseService(DLFirebaseService()))
/// }
/// ```
public struct EngagedFirebaseService: FirebaseService {
    private let service: any FirebaseService
    private let engine: DeliveryEngine
    private let counted = CountedTime()

    /// Creates a service over another one.
    ///
    /// - Parameters:
    ///   - service: The service that tracks the events.
    ///   - engine: The engine to which the app's `AppDelivery` reports.
    public init(_ service: any FirebaseService, on engine: DeliveryEngine = .shared) {
        self.service = service
        self.engine = engine
    }

    public func track(_ event: FirebaseEvent) {
        var event = event
        let engagement = counted.take(engine.activeTime)
        if event.parameters[EngagedFirebaseService.key] == nil {
            event.parameters[EngagedFirebaseService.key] = .int(engagement)
        }
        service.track(event)
    }

    /// Source: https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference, which requires a
    /// positive number.
    private static let key: ParameterKey = "engagement_time_msec"
}

/// The part of the active time that earlier events have.
private final class CountedTime: Sendable {
    private let counted = Mutex(Duration.zero)

    /// Returns the milliseconds since the last call, at least 1.
    func take(_ active: Duration) -> Int {
        counted.withLock { counted in
            let new = max(.zero, active - counted)
            // The rest of a millisecond belongs to the next event.
            let milliseconds =
                Int(clamping: new.components.seconds) * 1_000 + Int(new.components.attoseconds / 1_000_000_000_000_000)
            counted += .milliseconds(milliseconds)
            return max(1, milliseconds)
        }
    }
}
