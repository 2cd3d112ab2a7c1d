#if os(macOS) || os(Linux)
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

@testable import DolapLiteApp

@Suite(.timeLimit(.minutes(1))) struct DolapLiteAppTests {
    @Test func `nothing is sent before the consent, and everything after it, also the events before the opening`()
        async throws
    {
        let app = try ChildProcess(
            product: "DolapLiteApp",
            arguments: [],
            environment: ["EVENT_DELIVERY_LOG": "off"]
        )

        var lines: [String] = []
        for await line in app.lines { lines.append(line) }

        #expect(await app.ended() == .code(0))
        #expect(lines.first == "0 requests before the consent")
        #expect(
            lines.dropFirst().sorted() == [
                "awesomeTracking product_viewed", "awesomeTracking screen_viewed", "firebase screen_view",
                "firebase view_item",
            ]
        )
    }

    @Test func `the app asks until the user has answered, also after a restart`() async throws {
        let queue = try TemporaryQueue()
        let receiver = try LoopbackCollector()
        var undecided: [Bool] = []

        for answer in [Consent.granted, nil] {
            let engine = DeliveryEngine()
            try await engine.open(makeConfiguration(in: queue.url, gateway: "\(receiver.url)"))
            undecided.append(
                await engine.statistics().contains { $0.purpose == .analytics && $0.consent == .unknown }
            )
            if let answer { try await engine.setConsent(answer, for: .analytics) }
            await engine.close(timeout: .zero)
        }

        #expect(undecided == [true, false])
    }
}
#endif
