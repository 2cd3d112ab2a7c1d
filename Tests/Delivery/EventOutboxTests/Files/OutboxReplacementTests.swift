import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct OutboxReplacementTests {
    private let queue: TemporaryQueue
    private let directory: OutboxDirectory
    private let lane = LaneID(product: "T", service: "lines")

    init() throws {
        queue = try TemporaryQueue()
        directory = try OutboxDirectory(queue.url)
    }

    @Test func `the new file has all rows and segments of the old one`() throws {
        let outbox = Outbox(try queue.outbox())
        try outbox.commit(change(), barrier: true)
        var kept = OutboxChange()
        kept.remove(segments: [SegmentPlace(lane: 1, number: 3)])
        kept.save(segments: [.stub(number: 5, ids: 5...6)])
        outbox.keep(kept)

        let (rows, losses) = try outbox.writeReplacement(in: directory, rows: stored())
        outbox.close()
        try OutboxReplacement.complete(in: directory)

        let found = try queue.rows()
        #expect(losses.isEmpty)
        #expect(try queue.segments() == [.stub(number: 1, ids: 1...2), .stub(number: 5, ids: 5...6)])
        #expect(found.lanes.map(\.ledger.pending) == [4] && found.lanes.map(\.counts.events) == [[0, 4, 0]])
        #expect(found.lanes == rows.lanes)
        #expect(found.lanes.map(\.batches.count) == [1] && found.quarantined == stored().quarantined)
        #expect(found.state == stored().state)
        #expect(queue.files == ["corrupt-1-queue.db", "queue.db"])
    }

    @Test func `a damaged record counts as lost, and its batch is dissolved`() throws {
        var damaged = Segment.stub(number: 1, ids: 1...2)
        damaged.records[30] ^= 0xFF

        let (rows, losses) = try write(stored(), [damaged, .stub(number: 3, ids: 3...4)])

        #expect(losses == [lane: 1])
        #expect(rows.lanes.map(\.batches.count) == [0])
        #expect(rows.lanes.map(\.ledger.dropped) == [[.corrupted: 1]])
        #expect(rows.lanes.map(\.ledger.pending) == [3])
        #expect(try queue.segments().map(\.count) == [1, 2])
    }

    @Test func `a missing segment counts as lost, an unknown one as accepted`() throws {
        let (rows, losses) = try write(stored(), [.stub(number: 1, ids: 1...2)])
        #expect(losses == [lane: 2])
        #expect(rows.lanes.map(\.batches.count) == [1])
        #expect(rows.lanes.map(\.ledger.dropped) == [[.corrupted: 2]])

        let more = try write(rows, [.stub(number: 1, ids: 1...2), .stub(number: 3, ids: 3...9)])
        #expect(more.losses.isEmpty)
        #expect(more.rows.lanes.map(\.ledger.pending) == [9])
    }

    @Test func `segments of no lane are left out`() throws {
        let (found, losses) = try write(stored(), change().savedSegments + [.stub(lane: 2, number: 1)])

        #expect(losses.isEmpty)
        #expect(try queue.segments().map(\.place.lane) == [1, 1])
        #expect(found.lanes.map(\.counts.total) == [4])
    }

    @Test func `an error of the source leaves the old file, and no unfinished one`() throws {
        let old = try queue.outbox()
        old.close()

        #expect(throws: OutboxError.corrupt) {
            try OutboxReplacement.write(in: directory, rows: stored()) { _ throws(OutboxError) in throw .corrupt }
        }

        #expect(queue.files == ["queue.db"])
        try OutboxReplacement.complete(in: directory)
        #expect(queue.files == ["queue.db"])
    }

    @Test func `on a full disk the reserve is released for the new file`() throws {
        directory.reserve.fill()
        var attempts = 0

        _ = try OutboxReplacement.write(in: directory, rows: stored()) { add throws(OutboxError) in
            attempts += 1
            guard attempts > 1 else { throw .full }
            try add(.stub(number: 1, ids: 1...4))
        }

        #expect(attempts == 2)
        #expect(queue.files == ["queue.db.next"])
    }
}

/// Tests of a process killed between the steps of a replacement.
extension OutboxReplacementTests {
    @Test(arguments: ["", "-wal", "-journal"])
    func `killed while the new file is written, the next start finds the old one`(suffix: String) throws {
        try storeOldFile()
        for ending in ["", suffix] { try Data("?".utf8).write(to: URL(filePath: queue.path + ".new" + ending)) }

        try OutboxReplacement.complete(in: directory)

        try expectOldFile()
    }

    @Test func `killed before the new file is renamed, the next start finds the old one`() throws {
        try storeOldFile()
        try write(newRows, [.stub(number: 1, ids: 9...9)], completes: false)
        try FileManager.default.moveItem(atPath: queue.path + ".next", toPath: queue.path + ".new")

        try OutboxReplacement.complete(in: directory)

        try expectOldFile()
    }

    // The old files move in this order.
    @Test(arguments: 0...6)
    func `killed while the old files move, the next start finds the new one`(moved: Int) throws {
        let names = ["mkdir", ".checkpoint", "-wal", "-journal", "-shm", ""]
        try storeOldFile()
        for name in names[2...4] { try Data("old".utf8).write(to: URL(filePath: queue.path + name)) }
        try write(newRows, [.stub(number: 1, ids: 9...9)], completes: false)
        for name in names.prefix(moved) {
            let aside = queue.url.appending(path: "corrupt-1-queue.db")
            if name == "mkdir" {
                try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: false)
            } else {
                let target = aside.appending(path: "queue.db\(name)").path
                try FileManager.default.moveItem(atPath: queue.path + name, toPath: target)
            }
        }
        #expect(queue.files.contains("queue.db.next"))
        #expect(!OutboxDirectory.isSurelyEmpty(queue.url))

        try OutboxReplacement.complete(in: directory)
        try OutboxReplacement.complete(in: directory)

        #expect(queue.files.filter { !$0.hasPrefix("corrupt-") } == ["queue.db"])
        #expect(try queue.rows().state == newRows.state)
        #expect(try queue.segments() == [.stub(number: 1, ids: 9...9)])
        try directory.removeSetAside()
        #expect(queue.files == ["queue.db"])
    }

    @Test func `killed after the new file has its place, the next start finds it`() throws {
        try storeOldFile()
        try write(newRows, [.stub(number: 1, ids: 9...9)], completes: true)

        try OutboxReplacement.complete(in: OutboxDirectory(queue.url))

        #expect(queue.files == ["corrupt-1-queue.db", "queue.db"])
        #expect(try queue.segments() == [.stub(number: 1, ids: 9...9)])
    }

    private var newRows: OutboxRows {
        var rows = stored()
        rows.state?.number = 8
        rows.state?.decisions["ads"] = StateRow.Decision(.denied, denial: 8)
        (rows.quarantined, rows.lanes[0].batches) = ([], [])
        return rows
    }

    private func storeOldFile() throws {
        try queue.commit(change())
        DurabilityCheckpoint(stored().lanes, number: 7).write(queue: queue.path)
    }

    private func expectOldFile() throws {
        #expect(queue.files == ["queue.db", "queue.db.checkpoint"])
        #expect(try queue.rows().state == stored().state)
        #expect(try queue.segments() == change().savedSegments)
    }
}

/// Tests of decisions in a replacement.
extension OutboxReplacementTests {
    @Test func `a lost state stays lost`() throws {
        var rows = stored()
        rows.state = nil

        _ = try write(rows, change().savedSegments)

        #expect(try queue.rows().state == nil)
    }

    @Test func `segments below the start of their lane are left out`() throws {
        var rows = stored()
        rows.lanes[0].start = 3

        _ = try write(rows, change().savedSegments)

        #expect(try queue.segments().map(\.place.number) == [3])
    }

    @Test func `segments from before a denial are left out, although the row of their lane is older`() throws {
        var rows = stored()
        rows.lanes[0].purpose = "ads"
        var segments = change().savedSegments
        segments[1].decision = 2

        _ = try write(rows, segments)

        #expect(try queue.segments().map(\.place.number) == [3])
    }

    /// Writes a replacement, and moves it into its place.
    @discardableResult
    private func write(
        _ rows: OutboxRows,
        _ segments: [Segment],
        completes: Bool = true
    ) throws -> (rows: OutboxRows, losses: [LaneID: Int]) {
        let result = try OutboxReplacement.write(in: directory, rows: rows) { add throws(OutboxError) in
            for segment in segments { try add(segment) }
        }
        if completes { try OutboxReplacement.complete(in: directory) }
        return result
    }

    /// The rows of ``change()``.
    private func stored() -> OutboxRows {
        var rows = OutboxRows()
        rows.lanes = [StoredLane(number: 1, id: lane)]
        rows.lanes[0].ledger.accepted = 5
        rows.lanes[0].ledger.quarantined = 1
        rows.lanes[0].nextNumber = 10
        rows.lanes[0].counts.events = [0, 4, 0]
        rows.lanes[0].batches = [StoredBatch(id: .stub(100), segments: [SegmentPlace(lane: 1, number: 1)])]
        rows.quarantined = [.stub(.stub(50), decision: 7)]
        var state = StateRow()
        (state.number, state.isUnclean) = (7, true)
        state.decisions["ads"] = StateRow.Decision(.granted, denial: 2)
        state.erasing[UserHash(rawValue: 9)] = 6
        state.installation = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
        rows.state = state
        return rows
    }

    private func change() -> OutboxChange {
        var change = stored().change
        change.save(segments: [.stub(number: 1, ids: 1...2), .stub(number: 3, ids: 3...4)])
        return change
    }
}
