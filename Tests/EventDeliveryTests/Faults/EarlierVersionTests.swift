import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

/// Files that released versions have written.
@Suite struct EarlierVersionTests {
    @Test func `what version 1 has stored is delivered by this one`() async throws {
        let queue = try TemporaryQueue()
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "EventOutboxTests/Fixtures")
        try FileManager.default.copyItem(
            at: fixtures.appending(path: "queue-version-1.db"),
            to: queue.url.appending(path: "queue-version-1.db")
        )
        let lanes = ["lines", "other"].map { LaneID(product: "T", service: $0) }
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())

        try await engine.open(
            DeliveryConfiguration(
                directory: queue.url,
                destinations: lanes.map { LineDestination(lane: $0) },
                transport: transport
            )
        )
        let report = await engine.flush(deadline: .seconds(60))
        try await LedgerCheck.check(engine)
        await engine.close(deadline: .zero)

        let lines = transport.requests.flatMap { $0.body.split(separator: UInt8(ascii: "\n")) }
            .map { String(decoding: $0, as: UTF8.self) }
        #expect(report.isDrained)
        #expect(Set(lines).isSuperset(of: ["{\"n\":1}", "{\"n\":3}", "{\"n\":4}", "{\"n\":5}"]))
    }
}
