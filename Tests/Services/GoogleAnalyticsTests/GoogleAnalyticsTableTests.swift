import EventDelivery
import EventDeliveryTesting
import GoogleAnalytics
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(1))) struct GoogleAnalyticsTableTests {
    @Test func `A web stream acts on each response as its table says`() async throws {
        let table = try ReceiverTable(
            under: "## Responses of a web stream",
            of: "Modules/Services/GoogleAnalytics/GoogleAnalytics.docc/GoogleAnalytics.md"
        )

        try await table.check(of: .googleAnalytics) { endpoint in
            let stream = try GoogleAnalyticsConfiguration(measurementID: "G-ABC1", apiSecret: "s", endpoint: endpoint)
            return GoogleAnalyticsDestination(product: "DL", configuration: stream)
        }
    }
}
