import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import TYTracker
import Testing

@Suite struct TYFirebaseServiceTests {
    @Test(arguments: FirebaseServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract) async throws {
        let destination = RecordingDestination(lane: .firebase(product: "TY"))
        let engine = try await destination.makeEngine()

        try await FirebaseServiceContract.run(check, on: TYFirebaseService(delivery: engine)) {
            _ = await engine.flush(deadline: .seconds(5))
            return destination.events.map { FirebaseEvent(name: $0.name, parameters: $0.mergedParameters) }
        }
    }
}
