import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import SFTracker
import Testing

@Suite struct SFFirebaseServiceTests {
    @Test(arguments: FirebaseServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: .firebase(product: "SF"))
        let engine = try await destination.makeEngine()

        try await FirebaseServiceContract.run(check, on: SFFirebaseService(delivery: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { FirebaseEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }
}
