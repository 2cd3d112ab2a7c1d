import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite struct OutboxKeeperFilesTests {
    @Test func `a denial reaches hundreds of files that ended processes have left`() async throws {
        let directory = LaneHarness.makeDirectory()
        let aside = LaneHarness.makeDirectory()
        defer { for url in [directory, aside] { try? FileManager.default.removeItem(at: url) } }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // One file that a process has left, a hundred and fifty times.
        let first = LaneHarness(directory: aside) { _, _ in .fail(.timedOut) }
        first.track(1...1)
        try await first.open()
        await first.engine.close(deadline: .zero)
        let left = try #require(TemporaryQueue.queues(in: aside).first)
        for number in 100..<250 {
            let copy = directory.appending(path: "queue-00000000-0000-7000-8000-000000000\(number).db")
            try FileManager.default.copyItem(atPath: left, toPath: copy.path)
        }

        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(
                directory: directory,
                destinations: [LineDestination()],
                transport: ScriptedTransport { _, _ in .hang }
            )
        )
        try await engine.setConsent(.denied, for: .analytics)

        #expect(TemporaryQueue.queues(in: directory).count == 1)
        #expect(await engine.statistics().map(\.ledger.pending) == [0])
        try await LedgerCheck.check(engine)
    }
}
