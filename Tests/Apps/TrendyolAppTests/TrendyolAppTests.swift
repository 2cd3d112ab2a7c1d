#if os(macOS) || os(Linux)
import EventDeliveryTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct TrendyolAppTests {
    @Test func `nothing is sent before the consent, and everything after it, also the link of a cold start`()
        async throws
    {
        let app = try ChildProcess(
            product: "TrendyolApp",
            arguments: [],
            environment: ["EVENT_DELIVERY_LOG": "off"]
        )

        var lines: [String] = []
        for await line in app.lines { lines.append(line) }

        #expect(await app.ended() == .code(0))
        #expect(lines.first == "0 requests before the consent")
        #expect(
            lines.dropFirst().sorted() == [
                "awesomeTracking deep_link_opened", "awesomeTracking pdp_cart_change", "awesomeTracking pdp_view",
                "firebase add_to_cart", "firebase deep_link_opened", "firebase view_item",
            ]
        )
    }
}
#endif
