import EventDelivery
import ServiceLifecycle

/// A service that opens the engine, and closes it when the group shuts down or is cancelled.
struct TrackingService: Service {
    var engine = DeliveryEngine.shared
    let configuration: DeliveryConfiguration

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await engine.run(configuration, closingWithin: .seconds(10))
        }
    }
}
