import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import SumoTracker
import Testing

@Suite(.timeLimit(.minutes(1))) struct SumoTableTests {
    @Test func `Sumo Logic acts on each response as its table says`() async throws {
        let table = try ReceiverTable(
            under: "## Responses of Sumo Logic",
            of: "Modules/Services/SumoTracker/SumoTracker.docc/SumoTracker.md"
        )

        try await table.check(of: .sumo) { endpoint in
            let source = endpoint.appending(path: "receiver/v1/http/token")
            return SumoDestination(product: "DL", configuration: SumoConfiguration(endpoint: source))
        }
    }
}
