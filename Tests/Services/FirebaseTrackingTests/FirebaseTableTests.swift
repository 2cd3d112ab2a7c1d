import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(1))) struct FirebaseTableTests {
    @Test func `An app stream acts on each response as its table says`() async throws {
        let table = try ReceiverTable(
            under: "## Responses of an app stream",
            of: "Modules/Services/FirebaseTracking/FirebaseTracking.docc/FirebaseTracking.md"
        )

        try await table.check(of: .firebase) { endpoint in
            let stream = try FirebaseConfiguration(
                endpoint: endpoint,
                firebaseAppID: "1:1:ios:1",
                apiSecret: "s"
            )
            return FirebaseDestination(product: "DL", configuration: stream)
        }
    }
}
