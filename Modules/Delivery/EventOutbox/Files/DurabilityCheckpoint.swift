import CoreTracker
import EventBuffer

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A durability checkpoint: the state of each lane at the last barrier, stored next to the queue file.
///
/// SQLite ignores a truncated end of the write-ahead log without an error. Events that a lane lacks compared with this
/// checkpoint are counted as lost. If the queue file is damaged beyond reading, the checkpoint still contains the names
/// of its lanes.
package struct DurabilityCheckpoint: Sendable, Equatable, Codable {
    /// The state of one lane.
    package struct Lane: Sendable, Equatable, Codable {
        package let number: Int
        package let product: String
        package let service: String
        package let purpose: String
        package let next: Int64
        package let accepted: Int
        package let delivered: Int
        package let quarantined: Int
        package let dropped: [String: Int]
        package let adjusted: [String: Int]
    }

    /// The greatest decision number of all decisions, erasures and events.
    package let number: UInt64
    package let lanes: [Lane]

    /// Creates a checkpoint.
    ///
    /// - Parameters:
    ///   - stored: The rows of the lanes.
    ///   - number: The greatest decision number of all decisions, erasures and events.
    package init(_ stored: some Sequence<StoredLane>, number: UInt64) {
        self.number = number
        lanes = stored.map(Lane.init)
    }

    /// Reads the checkpoint of a queue file.
    ///
    /// Returns `nil` if there is none, or if it is damaged or not a file of this user.
    ///
    /// - Parameter queue: The path of the queue file.
    package init?(queue: String) {
        guard let bytes = try? OwnFile.contents(of: queue + ".checkpoint", limit: ChecksummedJSON.maximumBytes),
            let checkpoint = ChecksummedJSON.value(of: DurabilityCheckpoint.self, in: bytes),
            checkpoint.lanes.count <= StoredLane.maximum, checkpoint.number <= PrivacyRows.greatestNumber,
            checkpoint.lanes.allSatisfy({ $0.damagedRow.isPossible })
        else { return nil }
        self = checkpoint
    }

    /// Writes the checkpoint of a queue file with one call, over the old one.
    ///
    /// Bytes of the old checkpoint beyond the new length are ignored. A file of another user is replaced. A failure
    /// leaves an older or an unreadable checkpoint, which counts no events as lost.
    ///
    /// - Parameter queue: The path of the queue file.
    package func write(queue: String) {
        guard let bytes = ChecksummedJSON.bytes(of: self) else { return }
        let path = queue + ".checkpoint"
        do throws(OutboxError) {
            try OwnFile(path, flags: O_CREAT | O_WRONLY).write(bytes)
        } catch .foreign {
            _ = try? OwnFile.replace(path, with: bytes)
        } catch {
            return
        }
    }
}

extension DurabilityCheckpoint.Lane {
    package init(_ stored: StoredLane) {
        number = stored.number
        product = stored.id.product
        service = stored.id.service
        purpose = stored.purpose
        next = stored.nextNumber
        accepted = stored.ledger.accepted
        delivered = stored.ledger.delivered
        quarantined = stored.ledger.quarantined
        dropped = Dictionary(stored.ledger.dropped.map { ($0.key.name, $0.value) }, uniquingKeysWith: +)
        adjusted = stored.ledger.adjusted
    }

    /// The lane's row at the barrier, as the row of a lane whose stored events must be counted.
    package var damagedRow: StoredLane {
        var lane = StoredLane(number: number, id: LaneID(product: product, service: service))
        lane.purpose = purpose
        lane.nextNumber = next
        lane.ledger.accepted = accepted
        lane.ledger.delivered = delivered
        lane.ledger.quarantined = quarantined
        for (name, count) in dropped { lane.ledger.dropped[DropReason(name), default: 0] += count }
        lane.ledger.adjusted = adjusted
        lane.isDamaged = true
        return lane
    }
}
