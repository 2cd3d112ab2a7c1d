import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

@testable import EventDeliveryScenes

/// Tests that kill real producer processes, and count the events that arrive at a real collector.
@Suite(.serialized, .timeLimit(.minutes(10))) struct KillTests {
    @Test(arguments: ["durable", "strict"])
    func `no event is lost whose receipt was printed before the process was killed`(durability: String) async throws {
        let scene = try KillScene()
        defer { scene.remove() }
        var random = SeededGenerator(seed: 1)

        for _ in 1...50 {
            let receipts = Int.random(in: 1...20, using: &random)
            try await scene.killProducer(afterReceipts: receipts, durability: durability)
        }
        let ledgers = try await scene.drain()

        let lost = scene.receipts.subtracting(scene.arrivedIDs)
        let unsettled = ledgers.filter { !$0.isBalanced || $0.pending > 0 || !$0.dropped.isEmpty }
        #expect(scene.kills == 50)
        #expect(scene.receipts.count >= 50)
        #expect(lost.isEmpty)
        #expect(unsettled.isEmpty)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 35, 45, 60, 80, 110, 150])
    func `a process that is killed inside a write of the outbox loses no event with a receipt`(call: Int)
        async throws
    {
        let scene = try KillScene()
        defer { scene.remove() }

        let end = try await scene.runProducer(["--count", "300", "--window", "4", "--kill-at-call", "\(call)"])
        let ledgers = try await scene.drainHere()

        let lost = scene.receipts.subtracting(scene.arrivedIDs)
        #expect(end == .signal(SIGKILL))
        #expect(lost.isEmpty)
        #expect(ledgers.allSatisfy { $0.pending == 0 && $0.dropped.isEmpty })
    }

    @Test func `a process that is killed between a response and its record sends only the same ids again`()
        async throws
    {
        let scene = try KillScene()
        defer { scene.remove() }

        for _ in 1...20 { try await scene.killProducer(afterRequests: 1) }
        _ = try await scene.drain()

        #expect(scene.receipts.subtracting(scene.arrivedIDs).isEmpty)
        let differing = scene.payloadsByID.filter { $0.value.count > 1 }
        #expect(differing.isEmpty)
    }

    @Test func `traits that were stored before a process was killed are delivered by the next one`() async throws {
        let scene = try KillScene(script: .always(.status(503)))
        defer { scene.remove() }
        var random = SeededGenerator(seed: 11)
        var stored = 0

        for _ in 1...20 {
            stored += try await scene.killProducer(afterUsers: Int.random(in: 1...10, using: &random)).count
        }
        scene.collector.setScript(.accept)
        let before = scene.collector.requests.count
        let ledgers = try await scene.drain()

        let delivered = scene.collector.requests.dropFirst(before).map(\.text).joined()
        #expect(scene.kills == 20)
        #expect(delivered.matches(of: /"name":"\$identify"/).count >= stored)
        #expect(ledgers.allSatisfy { $0.isBalanced && $0.pending == 0 && $0.dropped.isEmpty })
    }

    @Test(arguments: [2, 8])
    func `processes take turns in one directory, and the events of each are delivered once`(processes: Int)
        async throws
    {
        let scene = try KillScene(script: .always(.status(503)))
        defer { scene.remove() }

        try await scene.killProducers(processes, afterEvents: 40)
        scene.collector.setScript(.accept)
        let ledgers = try await scene.drain(processes: 3)

        #expect(scene.receipts.count == processes * 40)
        #expect(scene.arrivedIDs == scene.receipts)
        #expect(scene.collector.tally.service(.awesomeTracking).duplicates == 0)
        let settled = ledgers.joined().allSatisfy { $0.isBalanced && $0.pending == 0 && $0.dropped.isEmpty }
        #expect(settled)
    }

    @Test(arguments: [true, false])
    func `a process that is killed after a reset has returned leaves the new id, and never an older one`(
        isAtRest: Bool
    ) async throws {
        let scene = try KillScene()
        defer { scene.remove() }
        var random = SeededGenerator(seed: 10)
        var (old, last) = (Set<String>(), String?.none)

        for _ in 1...25 {
            let resets = Int.random(in: 1...4, using: &random)
            let ids = try await scene.killProducer(afterResets: resets, isAtRest: isAtRest)
            let first = try #require(ids.first)
            // If a producer was about to reset again, its stored id is not known.
            #expect(!old.contains(first))
            #expect(!isAtRest || first == last ?? first)
            old.formUnion([last].compactMap { $0 } + ids)
            last = ids.last
            if let last { old.remove(last) }
        }

        #expect(scene.kills == 25)
        #expect(old.count >= 50)
    }

    @Test func `a process that is killed while it accepts quotas documents leaves the last one, or the next one`()
        async throws
    {
        let scene = try KillScene()
        defer { scene.remove() }
        var random = SeededGenerator(seed: 11)

        for _ in 1...20 {
            let accepted = try await scene.killProducer(afterDocuments: Int.random(in: 1...30, using: &random))
            // The number of a document is its rate, which is counted for one minute of the test's clock.
            let rate = try await acceptedEvents(in: scene.queue, of: accepted + 10)

            #expect([accepted, accepted + 1].contains(rate))
        }

        #expect(scene.kills == 20)
    }

    /// Returns the number of accepted events, of `count` events tracked in a minute.
    private func acceptedEvents(in directory: URL, of count: Int) async throws -> Int {
        let destination = LineDestination(lane: LaneID(product: "P", service: "lane1"))
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: directory, destinations: [destination], transport: ScriptedTransport())
        )
        let before = await engine.statistics().first?.ledger.droppedTotal ?? 0
        for _ in 1...count { engine.lane(destination.lane).track("produced", parameters: [:]) }
        let after = await engine.statistics().first?.ledger.droppedTotal ?? 0
        await engine.close(timeout: .zero)
        return count - (after - before)
    }

    @Test func `a process that ends by a signal loses no event with a receipt`() async throws {
        let scene = try KillScene()
        defer { scene.remove() }

        for receipts in [1, 10, 50] { try await scene.killProducer(afterReceipts: receipts, signal: SIGTERM) }
        _ = try await scene.drain()

        #expect(scene.receipts.subtracting(scene.arrivedIDs).isEmpty)
    }
}
