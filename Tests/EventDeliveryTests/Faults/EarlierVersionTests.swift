import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

/// Files that released versions have written.
@Suite struct EarlierVersionTests {
    @Test(arguments: [1, 2]) func `what an earlier version has stored is delivered by this one`(version: Int)
        async throws
    {
        let queue = try TemporaryQueue()
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "EventOutboxTests/Fixtures")
        try FileManager.default.copyItem(
            at: fixtures.appending(path: "queue-version-\(version).db"),
            to: queue.url.appending(path: "queue-version-\(version).db")
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
