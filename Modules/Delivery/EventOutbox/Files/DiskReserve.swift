import EventBuffer

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A reserve of disk space.
///
/// If the disk is full, even a deletion needs space for its log.
package struct DiskReserve: Sendable {
    // A denial needs its transaction and a deletion step of 1 MB in the log.
    private static let bytes = 2_621_440
    // The reserve is written in pieces: glibc keeps, for each thread, twice as much free memory as the largest block
    // that was ever freed.
    private static let piece = 65_536
    private let path: String

    package init(queue: String) {
        path = queue + ".reserve"
    }

    /// Creates the reserve if it does not exist and the disk has space for it.
    package func fill() {
        if let status = FileStatus(at: path) {
            // An unfinished file of a killed process, or a file of another user, is not a reserve.
            guard status.foreignTraitOfFile != nil || status.size < DiskReserve.bytes else { return }
            unlink(path)
        }
        guard let file = try? OwnFile(path, flags: O_CREAT | O_EXCL | O_WRONLY) else { return }
        do {
            let zeros = [UInt8](repeating: 0, count: DiskReserve.piece)
            for offset in stride(from: 0, to: DiskReserve.bytes, by: DiskReserve.piece) {
                try file.write(zeros, at: offset)
            }
        } catch {
            unlink(path)
        }
    }

    /// Frees the reserve.
    ///
    /// Returns whether there was one.
    package func release() -> Bool {
        unlink(path) == 0
    }
}
