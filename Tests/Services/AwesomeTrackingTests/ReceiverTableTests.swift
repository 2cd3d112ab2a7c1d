import AwesomeTracking
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(1))) struct AwesomeTrackingTableTests {
    private static let page = "Modules/Services/AwesomeTracking/AwesomeTracking.docc/AwesomeTracking.md"

    @Test func `ClickHouse acts on each response as its table says`() async throws {
        let table = try ReceiverTable(under: "## Responses of ClickHouse", of: AwesomeTrackingTableTests.page)

        try await table.check(of: .awesomeTracking) { endpoint in
            ClickHouseDestination(product: "DL", configuration: try ClickHouseConfiguration(endpoint: endpoint))
        }
    }

    @Test func `OTLP acts on each response as its table says`() async throws {
        let table = try ReceiverTable(under: "## Responses of an OTLP receiver", of: AwesomeTrackingTableTests.page)

        try await table.check(of: .awesomeTrackingByOTLP) { endpoint in
            OTLPDestination(product: "DL", configuration: try OTLPConfiguration(endpoint: endpoint))
        }
    }
}
