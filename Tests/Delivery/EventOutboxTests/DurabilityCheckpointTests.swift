import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct DurabilityCheckpointTests {
    @Test func `a mark that is read is the mark that was written, over a longer one too`() throws {
        let directory = try TemporaryQueue()
        let queue = directory.url.appending(path: "queue-1.db").path
        let mark = DurabilityCheckpoint([lane(1, next: 7)])
        DurabilityCheckpoint((1...5).map { lane($0, next: 1_000_000) }).write(queue: queue)

        mark.write(queue: queue)

        #expect(DurabilityCheckpoint(queue: queue) == mark)
        #expect(DurabilityCheckpoint(queue: queue)?.lanes.map(\.stored) == [lane(1, next: 7)])
    }

    @Test func `a mark that is damaged anywhere is none`() throws {
        let directory = try TemporaryQueue()
        let queue = directory.url.appending(path: "queue-1.db").path
        DurabilityCheckpoint([lane(1, next: 7)]).write(queue: queue)
        let file = directory.url.appending(path: "queue-1.db.mark")
        let bytes = Array(try Data(contentsOf: file))

        for index in bytes.indices {
            var damaged = bytes
            damaged[index] = damaged[index] == 0x7E ? 0x7D : 0x7E
            try Data(damaged).write(to: file)
            #expect(DurabilityCheckpoint(queue: queue) == nil)
        }
        for count in [0, 1, bytes.count - 1] {
            try Data(bytes.prefix(count)).write(to: file)
            #expect(DurabilityCheckpoint(queue: queue) == nil)
        }
    }

    @Test func `a queue without a mark, and a link in its place, have none`() throws {
        let directory = try TemporaryQueue()
        let queue = directory.url.appending(path: "queue-1.db").path
        let other = directory.url.appending(path: "other").path
        DurabilityCheckpoint([lane(1, next: 7)]).write(queue: other)

        #expect(DurabilityCheckpoint(queue: queue) == nil)
        try FileManager.default.createSymbolicLink(atPath: queue + ".mark", withDestinationPath: other + ".mark")
        #expect(DurabilityCheckpoint(queue: queue) == nil)
    }

    @Test(arguments: ForeignThing.allCases)
    func `a mark that is not this user's own is neither read nor waited for, and is replaced`(thing: ForeignThing)
        throws
    {
        let directory = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let queue = directory.url.appending(path: "queue-1.db").path
        let other = elsewhere.url.appending(path: "queue-1.db").path
        DurabilityCheckpoint([lane(1, next: 7)]).write(queue: other)
        try thing.put(at: queue + ".mark", target: other + ".mark")

        #expect(DurabilityCheckpoint(queue: queue) == nil)
        DurabilityCheckpoint([lane(1, next: 9)]).write(queue: queue)

        #expect(DurabilityCheckpoint(queue: queue) == DurabilityCheckpoint([lane(1, next: 9)]))
        #expect(DurabilityCheckpoint(queue: other) == DurabilityCheckpoint([lane(1, next: 7)]))
    }

    @Test(arguments: [Int.min, -1, .max])
    func `a mark with numbers that no lane reaches is none`(number: Int) throws {
        let directory = try TemporaryQueue()
        let queue = directory.url.appending(path: "queue-1.db").path
        var crafted = Array(repeating: lane(1, next: 7), count: 6)
        crafted[0].number = number
        crafted[1].nextNumber = Int64(number)
        crafted[2].ledger.accepted = number
        crafted[3].ledger.delivered = number
        crafted[4].ledger.dropped = [.expired: number]
        crafted[5].ledger.adjusted = ["a": number]

        for lane in crafted {
            DurabilityCheckpoint([lane]).write(queue: queue)
            #expect(DurabilityCheckpoint(queue: queue) == nil)
        }
    }

    @Test func `a mark of more lanes than there can be is none`() throws {
        let directory = try TemporaryQueue()
        let queue = directory.url.appending(path: "queue-1.db").path

        DurabilityCheckpoint((1...(StoredLane.most + 1)).map { lane($0, next: 7) }).write(queue: queue)

        #expect(DurabilityCheckpoint(queue: queue) == nil)
    }

    private func lane(_ number: Int, next: Int64) -> StoredLane {
        var lane = StoredLane(number: number, id: LaneID(product: "T", service: "lane\(number)"))
        lane.nextNumber = next
        lane.ledger.accepted = 9
        lane.ledger.delivered = 4
        lane.ledger.quarantined = 1
        lane.ledger.dropped = [.bufferFull: 2]
        lane.ledger.adjusted = ["value_too_long": 3]
        return lane
    }
}
