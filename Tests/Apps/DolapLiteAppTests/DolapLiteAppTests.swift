#if os(macOS) || os(Linux)
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import DolapLiteApp

@Suite(.timeLimit(.minutes(1))) struct DolapLiteAppTests {
    @Test func `nothing is sent before the consent, and everything after it, also the events before the opening`()
        async throws
    {
        let app = try ChildProcess(product: "DolapLiteApp", arguments: [], environment: ["EVENT_DELIVERY_LOG": "off"])

        var lines: [String] = []
        for await line in app.lines { lines.append(line) }

        #expect(await app.ended() == .code(0))
        #expect(lines.first == "0 requests before the consent")
        #expect(
            lines.dropFirst().sorted() == [
                "awesomeTracking basket_item_added", "awesomeTracking product_viewed", "awesomeTracking screen_viewed",
                "firebase add_to_cart", "firebase screen_view", "firebase view_item",
            ]
        )
    }

    @Test func `the app asks its users, and its events survive a restart`() throws {
        let configuration = try makeConfiguration()

        #expect(configuration.defaultConsent == .unknown)
        #expect(configuration.directory?.lastPathComponent == "events")
        #expect(configuration.destinations.map(\.lane.description) == ["DL/firebase", "DL/awesomeTracking"])
    }
}
#endif
