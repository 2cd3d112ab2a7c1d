import BrazeTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(1))) struct BrazeTableTests {
    @Test func `Braze acts on each response as its table says`() async throws {
        let table = try ReceiverTable(
            under: "## Responses of Braze",
            of: "Modules/Services/BrazeTracker/BrazeTracker.docc/BrazeTracker.md"
        )

        try await table.check(of: .braze) { endpoint in
            BrazeDestination(product: "DL", configuration: try BrazeConfiguration(endpoint: endpoint, apiKey: "k"))
        }
    }
}
