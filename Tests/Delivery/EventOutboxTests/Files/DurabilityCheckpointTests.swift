import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct DurabilityCheckpointTests {
    private let queue: TemporaryQueue
    private let path: String
    private let file: URL

    init() throws {
        queue = try TemporaryQueue()
        path = queue.path
        file = URL(filePath: path + ".checkpoint")
    }

    @Test func `a checkpoint is read as it was written, also over a longer one`() {
        let checkpoint = DurabilityCheckpoint([lane(1, next: 7)], number: 1 << 48)
        DurabilityCheckpoint((1...5).map { lane($0, next: 1_000_000) }, number: 1).write(queue: path)

        checkpoint.write(queue: path)

        let found = DurabilityCheckpoint(queue: path)
        #expect(found == checkpoint)
        #expect(found?.number == 1 << 48)
        var row = lane(1, next: 7)
        row.isDamaged = true
        #expect(found?.lanes == [row])
    }

    @Test func `a checkpoint of many lanes with long names is read too`() {
        let lanes = (1...1_024).map { number in
            let name = String(repeating: "n", count: 1_000)
            return StoredLane(number: number, id: LaneID(product: name, service: "\(name)\(number)"))
        }

        DurabilityCheckpoint(lanes, number: 1).write(queue: path)

        #expect(DurabilityCheckpoint(queue: path)?.lanes.count == 1_024)
    }

    @Test func `a checkpoint with a damaged byte, or a missing one, is not used`() throws {
        DurabilityCheckpoint([lane(1, next: 7)], number: 3).write(queue: path)
        let bytes = Array(try Data(contentsOf: file))

        for index in bytes.indices {
            var damaged = bytes
            damaged[index] = damaged[index] == 0x7E ? 0x7D : 0x7E
            try Data(damaged).write(to: file)
            #expect(DurabilityCheckpoint(queue: path) == nil)
        }
        for count in [0, 1, bytes.count - 1] {
            try Data(bytes.prefix(count)).write(to: file)
            #expect(DurabilityCheckpoint(queue: path) == nil)
        }
    }

    @Test func `a queue file without a checkpoint has none`() {
        #expect(DurabilityCheckpoint(queue: path) == nil)
    }

    @Test(arguments: ForeignFile.allCases)
    func `a checkpoint that does not belong to this user alone is not read, and is replaced`(foreign: ForeignFile)
        throws
    {
        let elsewhere = try TemporaryQueue()
        DurabilityCheckpoint([lane(1, next: 7)], number: 3).write(queue: elsewhere.path)
        try foreign.create(at: file.path, target: elsewhere.path + ".checkpoint")

        #expect(DurabilityCheckpoint(queue: path) == nil)
        DurabilityCheckpoint([lane(1, next: 9)], number: 4).write(queue: path)

        #expect(DurabilityCheckpoint(queue: path) == DurabilityCheckpoint([lane(1, next: 9)], number: 4))
        #expect(
            DurabilityCheckpoint(queue: elsewhere.path) == DurabilityCheckpoint([lane(1, next: 7)], number: 3)
        )
    }

    @Test(arguments: [Int.min, -1, .max])
    func `a checkpoint with numbers that no lane reaches is not used`(number: Int) throws {
        var crafted = Array(repeating: lane(1, next: 7), count: 6)
        crafted[0].number = number
        crafted[1].nextNumber = Int64(number)
        crafted[2].ledger.accepted = number
        crafted[3].ledger.delivered = number
        crafted[4].ledger.dropped = [.expired: number]
        crafted[5].ledger.adjusted = ["a": number]

        for lane in crafted {
            DurabilityCheckpoint([lane], number: 3).write(queue: path)
            #expect(DurabilityCheckpoint(queue: path) == nil)
        }
    }

    @Test(arguments: [UInt64(1) << 48 + 1, .max])
    func `a checkpoint with a decision number that no user reaches is not used`(number: UInt64) {
        DurabilityCheckpoint([lane(1, next: 7)], number: number).write(queue: path)

        #expect(DurabilityCheckpoint(queue: path) == nil)
    }

    @Test func `a checkpoint with too many lanes is not used`() {
        let lanes = (1...(StoredLane.maximum + 1)).map { lane($0, next: 7) }

        DurabilityCheckpoint(lanes, number: 3).write(queue: path)

        #expect(DurabilityCheckpoint(queue: path) == nil)
    }

    private func lane(_ number: Int, next: Int64) -> StoredLane {
        var lane = StoredLane(number: number, id: LaneID(product: "T", service: "lane\(number)"))
        lane.purpose = "analytics"
        lane.nextNumber = next
        lane.ledger.accepted = 9
        lane.ledger.delivered = 4
        lane.ledger.quarantined = 1
        lane.ledger.dropped = [.bufferFull: 2]
        lane.ledger.adjusted = ["value_too_long": 3]
        return lane
    }
}
