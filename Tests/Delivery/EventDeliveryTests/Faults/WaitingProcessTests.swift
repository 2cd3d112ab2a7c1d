import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

@testable import EventDeliveryScenes

/// Tests of a real process that waits for a directory which another real process uses.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WaitingProcessTests {
    @Test(arguments: [SIGKILL, SIGTERM])
    func `a waiting process delivers its events and those of the process that has ended, each exactly once`(
        signal: Int32
    ) async throws {
        let scene = try KillScene(script: .always(.status(503)))
        defer { scene.remove() }
        let first = try scene.start(["--count", "40", "--hold"])
        #expect(await scene.wait(for: "H", of: first))
        let second = try scene.start(["--count", "30", "--deadline", "60"])
        var lines = second.lines.makeAsyncIterator()
        #expect(await lines.next() == "W")
        let receipts = scene.receipts

        scene.collector.setScript(.accept)
        first.send(signal: signal)
        var last = ""
        while let line = await lines.next() {
            if !scene.record(line) { last = line }
        }

        let end = await second.ended()
        #expect(end == .code(0))
        let ledgers = try JSONDecoder().decode([KillScene.Ledger].self, from: Data(last.utf8))
        #expect(receipts.count == 40)
        #expect(scene.receipts.count == 70)
        #expect(scene.arrivedIDs == scene.receipts)
        #expect(scene.collector.tally.service(.awesomeTracking).duplicates == 0)
        #expect(ledgers.map(\.accepted) == [70] && ledgers.map(\.delivered) == [70])
        #expect(ledgers.allSatisfy { $0.isBalanced && $0.pending == 0 && $0.dropped.isEmpty })
    }
}
