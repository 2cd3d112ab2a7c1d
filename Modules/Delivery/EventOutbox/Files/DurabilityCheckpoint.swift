import CoreTracker
import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
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
package struct DurabilityCheckpoint: Sendable, Equatable {
    /// The state of one lane.
    package struct Lane: Sendable, Equatable, Codable {
        package let number: Int
        package let product: String
        package let service: String
        /// The name of the lane's purpose, or `nil` in checkpoints of earlier versions.
        package let purpose: String?
        package let next: Int64
        package let accepted: Int
        package let delivered: Int
        package let quarantined: Int
        package let dropped: [String: Int]
        package let repaired: [String: Int]
    }

    private static let maximumBytes = 1_048_576
    package var lanes: [Lane]

    package init(_ stored: some Sequence<StoredLane>) {
        lanes = stored.map(Lane.init)
    }

    /// Reads the checkpoint of a queue file.
    ///
    /// Returns `nil` if there is none, or if it is damaged or not a file of this user.
    ///
    /// - Parameter queue: The path of the queue file.
    package init?(queue: String) {
        guard let bytes = try? OwnFile.contents(of: queue + ".mark", limit: DurabilityCheckpoint.maximumBytes),
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let data = Data(bytes)
        let head = String(decoding: data[..<end], as: UTF8.self).split(separator: " ")
        let body = data[data.index(after: end)...]
        guard head.count == 2, let sum = UInt32(head[0]), let count = Int(head[1]), count >= 0, count <= body.count,
            DurabilityCheckpoint.checksum(body.prefix(count)) == sum,
            let lanes = try? JSONDecoder().decode([Lane].self, from: body.prefix(count)),
            lanes.count <= StoredLane.most, lanes.allSatisfy({ $0.stored.isPossible })
        else { return nil }
        self.lanes = lanes
    }

    /// Writes the checkpoint of a queue file with one call, over the old one.
    ///
    /// Bytes of the old checkpoint beyond the new length are ignored. A file of another user is replaced. A failure
    /// leaves an older or an unreadable checkpoint, which counts no events as lost.
    ///
    /// - Parameter queue: The path of the queue file.
    package func write(queue: String) {
        guard let body = try? JSONEncoder().encode(lanes) else { return }
        let path = queue + ".mark"
        let bytes = Array("\(DurabilityCheckpoint.checksum(body)) \(body.count)\n".utf8) + body
        do throws(OutboxError) {
            try OwnFile(path, flags: O_CREAT | O_WRONLY).write(bytes)
        } catch .foreign {
            _ = try? OwnFile.replace(path, with: bytes)
        } catch {
            return
        }
    }

    private static func checksum(_ body: Data) -> UInt32 {
        var checksum = Checksum()
        checksum.add(body)
        return checksum.value
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
        repaired = stored.ledger.adjusted
    }

    /// The lane's row at the barrier.
    package var stored: StoredLane {
        var lane = StoredLane(number: number, id: LaneID(product: product, service: service))
        lane.purpose = purpose ?? ""
        lane.nextNumber = next
        lane.ledger.accepted = accepted
        lane.ledger.delivered = delivered
        lane.ledger.quarantined = quarantined
        for (name, count) in dropped { lane.ledger.dropped[DropReason(name), default: 0] += count }
        lane.ledger.adjusted = repaired
        return lane
    }
}
