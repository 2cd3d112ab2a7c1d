import CoreTracker
import EventTracking

/// The configured middleware.
struct MiddlewareChain: Sendable {
    let list: [any EventMiddleware]

    /// Passes an event through the list.
    ///
    /// A middleware may add sensitive values or too many parameters, as a caller of `track` may.
    ///
    /// - Parameters:
    ///   - event: The event, which is replaced if a middleware has changed it.
    ///   - destination: The destination of the event.
    ///   - redactor: Applies the policies of sensitive values.
    ///   - encoder: Counts the adjustments.
    /// - Returns: The reason if the event is lost, otherwise `nil`.
    func process(
        _ event: inout OutgoingEvent,
        for destination: any Destination,
        _ redactor: SensitiveValueRedactor,
        _ encoder: inout EventEncoder
    ) -> DropReason? {
        let lane = destination.lane
        for middleware in list {
            switch middleware.process(event, on: lane) {
            case .keep: break
            case .change(let changed, let lostValues):
                if let excess = DropReason.excess(of: changed.parameters, changed.defaults) { return excess }
                let place = (event.id, event.sequence, event.update, event.awaitsConsent)
                event = changed
                (event.id, event.sequence, event.update, event.awaitsConsent) = place
                for member in [\OutgoingEvent.parameters, \.defaults] {
                    event[keyPath: member] = redactor.apply(to: event[keyPath: member], for: destination.purpose) {
                        encoder.recordAdjustment($0)
                    }
                }
                encoder.recordAdjustment(DropReason.middleware(middleware.name).name)
                let collision = DropReason.middleware(middleware.name).name + ".collision"
                for _ in 0..<max(0, lostValues) { encoder.recordAdjustment(collision) }
            case .drop: return .middleware(middleware.name)
            }
        }
        return nil
    }
}
