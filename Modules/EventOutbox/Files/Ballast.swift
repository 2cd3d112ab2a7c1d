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
        if let status = FileStatus(at: path) {
            // What a killed process has begun, and what is not ours, is no reserve.
            guard status.foreignTraitOfFile != nil || status.size < Ballast.bytes else { return }
            unlink(path)
        }
        guard let file = try? OwnFile(path, flags: O_CREAT | O_EXCL | O_WRONLY) else { return }
        do {
            try file.write([UInt8](repeating: 0, count: Ballast.bytes))
        } catch {
            unlink(path)
        }
    }

    /// Gives the reserve free; answers whether there was one.
    package func release() -> Bool {
        unlink(path) == 0
    }
}
