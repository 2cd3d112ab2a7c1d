import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

/// Tests of files changed since they were written.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DamageTests {
    @Test func `a flipped bit of the database never becomes a wrong payload, and lost events are counted`()
        async throws
    {
        let scene = try await StoredScene(events: 300, isKilled: false)
        var random = SeededGenerator(seed: 22)
        var losses: [Int] = []

        for number in 1...200 {
            let damaged = try scene.queue.copy()
            let bit = try damaged.flipBit(of: damaged.path, using: &random)
            let outcome = try await scene.deliver(damaged)
            scene.expectAccounted(outcome, "flip \(number) of bit \(bit)")
            losses.append(outcome.lost)
        }

        // Without the row of the decisions, nobody knows which events may be sent.
        #expect(losses.contains { $0 > 0 } && losses.count { $0 == 300 } < 20)
    }

    @Test func `a flipped bit of the write-ahead log is found by the checkpoint, and lost events are counted`()
        async throws
    {
        let scene = try await StoredScene(events: 300, isKilled: true)
        var random = SeededGenerator(seed: 23)
        var lossy = 0

        for number in 1...200 {
            let damaged = try scene.queue.copy()
            let bit = try damaged.flipBit(of: damaged.path + "-wal", using: &random)
            let outcome = try await scene.deliver(damaged)
            scene.expectAccounted(outcome, "flip \(number) of bit \(bit)")
            if outcome.lost > 0 { lossy += 1 }
        }

        #expect(lossy > 100)
    }

    @Test(arguments: ["", "-wal"])
    func `a file that was cut short loses the events behind the cut, counted`(suffix: String) async throws {
        let scene = try await StoredScene(events: 300, isKilled: !suffix.isEmpty)
        let size = TemporaryQueue.size(scene.queue.path + suffix)
        let step = max(512, size / 100 / 512 * 512)

        for length in stride(from: 0, to: size, by: step) {
            let damaged = try scene.queue.copy()
            try FileHandle(forWritingTo: URL(filePath: damaged.path + suffix)).truncate(atOffset: UInt64(length))
            let outcome = try await scene.deliver(damaged)
            scene.expectAccounted(outcome, "cut at \(length)")
        }
    }
}

extension TemporaryQueue {
    /// Flips one random bit of a file.
    ///
    /// Returns the bit's position.
    func flipBit(of path: String, using random: inout SeededGenerator) throws -> Int {
        var bytes = try Data(contentsOf: URL(filePath: path))
        let bit = Int.random(in: 0..<(bytes.count * 8), using: &random)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        try bytes.write(to: URL(filePath: path))
        return bit
    }
}
