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

    @Test func `the table of ClickHouse has a row with its source for each known code`() throws {
        let table = try ReceiverTable(under: "## Responses of ClickHouse", of: AwesomeTrackingTableTests.page)

        let listed = Set(table.rows.flatMap { $0.text.matches(of: /Code: (\d+)/).compactMap { Int($0.1) } })

        #expect(Set(ClickHouseResponses.standard.codes.keys).subtracting(listed).isEmpty)
    }

    @Test func `OTLP acts on each response as its table says`() async throws {
        let table = try ReceiverTable(under: "## Responses of an OTLP receiver", of: AwesomeTrackingTableTests.page)

        try await table.check(of: .awesomeTrackingByOTLP) { endpoint in
            OTLPDestination(product: "DL", configuration: try OTLPConfiguration(endpoint: endpoint))
        }
    }
}
