#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Disk space that is kept in reserve: on a full disk even deleting needs some, for the log of the deletion.
package struct Ballast: Sendable {
    private static let bytes = 1_048_576 + 262_144
    private let path: String

    package init(queue: String) {
        path = queue + ".ballast"
    }

    /// Takes the reserve, unless it is there or the disk has no room for it.
    package func fill() {
        guard !OutboxDirectory.isRegularFile(path) else { return }
        let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_WRONLY, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 65_536)
        var written = 0
        while written < Ballast.bytes {
            let count = write(descriptor, block, min(block.count, Ballast.bytes - written))
            guard count > 0 else {
                unlink(path)
                return
            }
            written += count
        }
    }

    /// Gives the reserve free; answers whether there was one.
    package func release() -> Bool {
        unlink(path) == 0
    }
}
