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

/// How far each lane had come at the last barrier, and its books then, kept beside the outbox.
///
/// SQLite takes a write-ahead log that ends early for one that was torn by a crash, and says nothing. What a lane
/// lacks against this mark has been lost, and is counted. It is also what names the lanes of a file that is damaged
/// beyond reading.
package struct HighWaterMark: Sendable, Equatable {
    /// One lane.
    package struct Lane: Sendable, Equatable, Codable {
        package let number: Int
        package let product: String
        package let service: String
        /// Missing in marks of earlier versions.
        package let purpose: String?
        package let next: Int64
        package let accepted: Int
        package let delivered: Int
        package let quarantined: Int
        package let dropped: [String: Int]
        package let repaired: [String: Int]
    }

    private static let mostBytes = 1_048_576
    package var lanes: [Lane]

    package init(_ stored: some Sequence<StoredLane>) {
        lanes = stored.map(Lane.init)
    }

    /// Reads the mark of a queue; `nil` when there is none, it is damaged, or it cannot be this library's.
    package init?(queue: String) {
        guard let bytes = try? OwnFile.contents(of: queue + ".mark", limit: HighWaterMark.mostBytes),
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let data = Data(bytes)
        let head = String(decoding: data[..<end], as: UTF8.self).split(separator: " ")
        let body = data[data.index(after: end)...]
        guard head.count == 2, let sum = UInt32(head[0]), let count = Int(head[1]), count >= 0, count <= body.count,
            HighWaterMark.checksum(body.prefix(count)) == sum,
            let lanes = try? JSONDecoder().decode([Lane].self, from: body.prefix(count)),
            lanes.count <= StoredLane.most, lanes.allSatisfy({ $0.stored.isPossible })
        else { return nil }
        self.lanes = lanes
    }

    /// Writes the mark of a queue in one piece, over the old one; what the old one had beyond its length means nothing.
    ///
    /// What stands there and is not this user's own is replaced. A failure leaves an older or an unreadable mark, which
    /// counts nothing as lost.
    package func write(queue: String) {
        guard let body = try? JSONEncoder().encode(lanes) else { return }
        let path = queue + ".mark"
        let bytes = Array("\(HighWaterMark.checksum(body)) \(body.count)\n".utf8) + body
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

extension HighWaterMark.Lane {
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
        repaired = stored.ledger.repaired
    }

    /// The lane as it was at the barrier.
    package var stored: StoredLane {
        var lane = StoredLane(number: number, id: LaneID(product: product, service: service))
        lane.purpose = purpose ?? ""
        lane.nextNumber = next
        lane.ledger.accepted = accepted
        lane.ledger.delivered = delivered
        lane.ledger.quarantined = quarantined
        for (name, count) in dropped { lane.ledger.dropped[DropReason(name), default: 0] += count }
        lane.ledger.repaired = repaired
        return lane
    }
}
