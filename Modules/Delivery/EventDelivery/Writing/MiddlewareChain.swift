import CoreTracker
import EventDeliveryAPI

/// The configured middleware, with the time taken by each one for a group.
struct MiddlewareChain: Sendable {
    /// The limits beyond which a middleware counts as slow: for a group, and on average for an event.
    ///
    /// The limit for a group is the writer's wait for more events, so faster middleware delays nothing.
    static let tolerance = (group: DeliveryStore.groupWindow, event: Duration.microseconds(100))

    private let list: [any EventMiddleware]
    private let clock: any DeliveryClock
    private var time: [Duration]
    private var events = 0

    init(_ list: [any EventMiddleware], clock: any DeliveryClock) {
        self.list = list
        self.clock = clock
        time = Array(repeating: .zero, count: list.count)
    }

    var isEmpty: Bool { list.isEmpty }

    /// The slow middleware of the group, by name, each with its average time for an event.
    var slow: [String: Duration] {
        var slow: [String: Duration] = [:]
        for (middleware, time) in zip(list, time) where time > MiddlewareChain.tolerance.group {
            let average = time / max(1, events)
            if average > MiddlewareChain.tolerance.event { slow[middleware.name] = average }
        }
        return slow
    }

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
    mutating func process(
        _ event: inout OutgoingEvent,
        for destination: any Destination,
        _ redactor: SensitiveValueRedactor,
        _ encoder: inout EventEncoder
    ) -> DropReason? {
        let lane = destination.lane
        events += 1
        var start = clock.monotonicTime()
        for (index, middleware) in list.enumerated() {
            let result = middleware.process(event, on: lane)
            let end = clock.monotonicTime()
            time[index] += start.duration(to: end)
            start = end
            switch result {
            case .keep: break
            case .change(let changed, let lostValues):
                if let excess = changed.parameters.excess ?? changed.defaults.excess {
                    return excess == .tooDeep ? .tooDeep : .tooManyParameters
                }
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
