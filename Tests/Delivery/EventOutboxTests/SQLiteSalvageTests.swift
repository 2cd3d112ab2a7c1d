import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct SQLiteSalvageTests {
    @Test func `a sound file is read whole`() throws {
        let directory = try TemporaryQueue()
        let path = try write(Segment.stub(ids: 1...3), in: directory)

        let contents = try SQLiteSalvage.read(path: path, mark: nil)

        #expect(contents.segments.flatMap { $0.read() }.map(\.id) == [.stub(1), .stub(2), .stub(3)])
        #expect(contents.lanes.map(\.id.service) == ["lines"])
        #expect(contents.losses.isEmpty)
    }

    @Test func `a record that is damaged is counted, the others are read`() throws {
        let directory = try TemporaryQueue()
        var segment = Segment.stub(ids: 1...3)
        segment.records[30] ^= 0xFF
        let path = try write(segment, in: directory)

        let contents = try SQLiteSalvage.read(path: path, mark: nil)

        #expect(contents.segments.flatMap { $0.read() }.map(\.id) == [.stub(1), .stub(3)])
        #expect(contents.losses.values.reduce(0, +) == 1)
    }

    @Test func `of a file that is no database the mark tells what is lost`() throws {
        let directory = try TemporaryQueue()
        let path = directory.url.appending(path: "queue-1.db").path
        try Data("no database at all, but long enough to look like one".utf8).write(to: URL(filePath: path))
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.accepted = 5

        let contents = try SQLiteSalvage.read(path: path, mark: DurabilityCheckpoint([lane]))

        #expect(contents.segments.isEmpty)
        #expect(contents.losses == [lane.id: 5])
        #expect(contents.lanes.map(\.ledger.dropped) == [[.corrupted: 5]])
    }

    private func write(_ segment: Segment, in directory: TemporaryQueue) throws -> String {
        let outbox = try directory.outbox()
        var lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))
        lane.ledger.accepted = segment.count
        lane.nextNumber = segment.place.number + Int64(segment.count)
        var change = OutboxChange()
        change.inserted = [segment]
        change.lanes = [lane]
        try outbox.commit(change, barrier: true)
        outbox.close()
        return directory.path
    }
}
