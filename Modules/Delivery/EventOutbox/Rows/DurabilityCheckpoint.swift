import CLibrary
import CoreTracker
import EventTracking

/// A durability checkpoint: the names, ledgers and next numbers of the lanes at the last barrier, stored next to the
/// queue file.
///
/// SQLite ignores a truncated end of the write-ahead log without an error. If a lane lacks events compared with this
/// checkpoint, they are counted as lost. If the queue file is damaged beyond reading, the checkpoint still contains the
/// names and the ledgers of its lanes.
///
/// The file begins with a checksum and a length of 4 bytes each. Bytes beyond that length are ignored, so a shorter
/// checkpoint can overwrite a longer one.
package struct DurabilityCheckpoint: Sendable, Equatable {
    /// The maximum size of the file in bytes, which a checkpoint of the maximum number of lanes with long names has.
    private static let maximumBytes = 16_777_216

    /// The greatest decision number of all decisions, erasures and events.
    package private(set) var number: UInt64
    /// The lanes, whose stored events must be counted.
    package private(set) var lanes: [StoredLane]

    /// Creates a checkpoint.
    ///
    /// - Parameters:
    ///   - stored: The rows of the lanes.
    ///   - number: The greatest decision number of all decisions, erasures and events.
    package init(_ stored: some Sequence<StoredLane>, number: UInt64) {
        self.number = number
        lanes = stored.map(\.atBarrier)
    }

    /// Reads the checkpoint of a queue file, and again after an error of the disk.
    ///
    /// Returns `nil` if there is none, or if it is damaged, unreadable or not a file of this user.
    ///
    /// - Parameter queue: The path of the queue file.
    package init?(queue: String) {
        self.init([], number: 0)
        let path = queue + ".checkpoint"
        guard !FileStatus.isMissing(at: path) else { return nil }
        var contents: [UInt8]?
        for _ in 1...8 where contents == nil {
            contents = try? OwnFile.contents(of: path, limit: DurabilityCheckpoint.maximumBytes)
        }
        guard let bytes = contents, let head = Array(bytes.prefix(8)).integerKey else { return nil }
        let body = Array(bytes.dropFirst(8).prefix(Int(truncatingIfNeeded: head & 0xFFFF_FFFF)))
        var coder = RowCoder(reading: body)
        code(&coder)
        guard head == DurabilityCheckpoint.head(of: body), coder.isComplete, lanes.count <= StoredLane.maximum,
            number <= StateRow.greatestNumber, lanes.allSatisfy(\.isPossible)
        else { return nil }
    }

    /// Writes the checkpoint of a queue file with one call, over the old one.
    ///
    /// A file of another user is replaced. A failure leaves an older or an unreadable checkpoint, which counts no
    /// events as lost.
    ///
    /// - Parameter queue: The path of the queue file.
    package func write(queue: String) {
        var (written, coder) = (self, RowCoder())
        written.code(&coder)
        let bytes = [UInt8](key: DurabilityCheckpoint.head(of: coder.bytes)) + coder.bytes
        guard bytes.count <= DurabilityCheckpoint.maximumBytes else { return }
        let path = queue + ".checkpoint"
        do throws(OutboxError) {
            try OwnFile(path, flags: O_CREAT | O_WRONLY).write(bytes)
        } catch {
            if case .foreign = error { _ = try? OwnFile.replace(path, with: bytes) }
        }
    }

    private mutating func code(_ coder: inout RowCoder) {
        coder.code(&number)
        coder.code(&lanes, from: StoredLane(number: 0, id: LaneID(product: "", service: ""))) { lane, coder in
            coder.code(&lane.number)
            lane.code(&coder)
            lane.isDamaged = true
        }
    }

    /// Returns the checksum and the length of a body.
    private static func head(of body: [UInt8]) -> UInt64 {
        UInt64(Checksum(of: body).value) << 32 | UInt64(body.count)
    }
}

extension StoredLane {
    /// The checkpoint's part of the row, as the row of a lane whose stored events must be counted.
    fileprivate var atBarrier: StoredLane {
        var lane = StoredLane(number: number, id: id, isDamaged: true)
        (lane.purpose, lane.nextNumber, lane.ledger) = (purpose, nextNumber, ledger)
        return lane
    }
}
