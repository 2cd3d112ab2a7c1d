import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How far each lane had come at the last barrier, kept beside the outbox.
///
/// SQLite takes a write-ahead log that ends early for one that was torn by a crash, and says nothing. What a lane
/// lacks against this mark has been lost, and is counted.
struct HighWaterMark: Sendable, Equatable {
    /// One lane.
    struct Lane: Sendable, Equatable {
        let number: Int
        let id: LaneID
        let nextNumber: Int64
    }

    var lanes: [Lane]

    /// Reads the mark of a queue; `nil` when there is none or it is damaged.
    init?(queue: String) {
        let path = queue + ".mark"
        guard OutboxDirectory.isRegularFile(path), OutboxDirectory.size(path) < 1_048_576,
            let data = FileManager.default.contents(atPath: path)
        else { return nil }
        var lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard let last = lines.popLast(), UInt32(last) == HighWaterMark.checksum(lines.map(String.init)) else {
            return nil
        }
        lanes = lines.compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count == 4, let number = Int(parts[0]), let next = Int64(parts[3]) else { return nil }
            return Lane(
                number: number,
                id: LaneID(product: String(parts[1]), service: String(parts[2])),
                nextNumber: next
            )
        }
    }

    init(_ stored: some Sequence<StoredLane>) {
        lanes = stored.map { Lane(number: $0.number, id: $0.id, nextNumber: $0.nextNumber) }
    }

    /// Writes the mark of a queue.
    ///
    /// A failure leaves an older or an unreadable mark, which counts nothing as lost.
    func write(queue: String) {
        let lines = lanes.map { "\($0.number)\t\($0.id.product)\t\($0.id.service)\t\($0.nextNumber)" }
        let text = (lines + ["\(HighWaterMark.checksum(lines))"]).joined(separator: "\n")
        let descriptor = open(queue + ".mark", O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_WRONLY, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        if pwrite(descriptor, bytes, bytes.count, 0) == bytes.count { ftruncate(descriptor, off_t(bytes.count)) }
    }

    private static func checksum(_ lines: [String]) -> UInt32 {
        var checksum = Checksum()
        for line in lines { checksum.add(line + "\n") }
        return checksum.value
    }
}
