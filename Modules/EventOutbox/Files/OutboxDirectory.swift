package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The directory of the outbox files: one `queue-….db` for each process, with its mark and ballast beside it.
///
/// Everything is made for the owner only (0700 and 0600). Links on the way to the directory are resolved once, because
/// SQLite refuses a path with a link in any part, and each container on iOS has one. From there on no link is followed,
/// and nothing is used that is not a regular file of this user's own.
package struct OutboxDirectory: Sendable {
    /// What SQLite keeps beside a file.
    static let companions = ["-wal", "-journal", "-shm"]

    /// Where it is, without a link in any part.
    package let url: URL

    /// Makes the directory where it is missing; throws `foreign` where another user has made it or may write it.
    package init(_ url: URL) throws(OutboxError) {
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            let code = (error as? CocoaError)?.underlying as? POSIXError
            throw .unavailable(code: code.map { $0.code.rawValue } ?? EIO)
        }
        // A link in the place of the directory itself may be another user's.
        guard FileStatus(at: url.path)?.kind == S_IFDIR else { throw .foreign(.kind) }
        self.url = try OutboxDirectory.resolved(url)
        _ = try OwnDirectory(self.url.path)
        FileProtection.apply(to: self.url)
        removeStrays()
    }

    /// The names of everything in it.
    func names() throws(OutboxError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw .unavailable(code: EACCES)
        }
    }

    /// Foundation's own resolving is no substitute: on Apple platforms it leaves `/var`, which is a link, as it is.
    private static func resolved(_ url: URL) throws(OutboxError) -> URL {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard realpath(url.path, &path) != nil else { throw .system(errno) }
        return URL(fileURLWithFileSystemRepresentation: path, isDirectory: true, relativeTo: nil)
    }

    /// The paths of all queue files of this user's own, oldest name first.
    package func queues() throws(OutboxError) -> [String] {
        try queuePaths().filter { FileStatus(at: $0)?.foreignTraitOfFile == .none }
    }

    /// The paths of all that is named like a queue, oldest name first.
    func queuePaths() throws(OutboxError) -> [String] {
        try names().filter { $0.hasPrefix("queue-") && $0.hasSuffix(".db") }.sorted()
            .map { url.appendingPathComponent($0).path }
    }

    /// Makes an empty queue file of a new name.
    package func makeQueue(id: String) throws(OutboxError) -> String {
        let path = url.appendingPathComponent("queue-\(id).db").path
        let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        close(descriptor)
        return path
    }

    /// Gives free the reserve of one queue; `false` when there is none left.
    func releaseBallast() -> Bool {
        ((try? names()) ?? []).contains { name in
            name.hasSuffix(".ballast") && unlink(url.appendingPathComponent(name).path) == 0
        }
    }

    /// Deletes a queue whose contents have been taken over.
    package static func remove(_ path: String) {
        for suffix in ["", ".mark", ".ballast"] + OutboxDirectory.companions { unlink(path + suffix) }
    }

    /// The last component of a path.
    package static func name(of path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    /// The inode of a regular file; `nil` where there is none.
    package static func inodeNumber(_ path: String) -> UInt64? {
        FileStatus(at: path).flatMap { $0.kind == S_IFREG ? $0.inode : nil }
    }

    package static func isRegularFile(_ path: String) -> Bool { FileStatus(at: path)?.kind == S_IFREG }

    package static func size(_ path: String) -> Int { FileStatus(at: path)?.size ?? 0 }
}
