import AdobeTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(1))) struct AdobeTableTests {
    @Test func `Adobe acts on each response as its table says`() async throws {
        let table = try ReceiverTable(
            under: "## Responses of Adobe",
            of: "Modules/Services/AdobeTracker/AdobeTracker.docc/AdobeTracker.md"
        )

        try await table.check(of: .adobe) { endpoint in
            AdobeDestination(
                product: "DL",
                configuration: try AdobeConfiguration(datastreamID: "d-1", endpoint: endpoint)
            )
        }
    }
}
