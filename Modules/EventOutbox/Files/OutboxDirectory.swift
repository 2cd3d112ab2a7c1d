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
    private static let companions = ["-wal", "-journal", "-shm"]

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
    }

    /// Foundation's own resolving is no substitute: on Apple platforms it leaves `/var`, which is a link, as it is.
    private static func resolved(_ url: URL) throws(OutboxError) -> URL {
        guard let path = realpath(url.path, nil) else { throw .system(errno) }
        defer { free(path) }
        return URL(fileURLWithPath: String(cString: path), isDirectory: true)
    }

    /// The paths of all queue files of this user's own, oldest name first.
    package func queues() throws(OutboxError) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw .unavailable(code: EACCES)
        }
        return names.filter { $0.hasPrefix("queue-") && $0.hasSuffix(".db") }.sorted()
            .map { url.appendingPathComponent($0).path }
            .filter { FileStatus(at: $0)?.foreignTraitOfFile == .none }
    }

    /// Makes an empty queue file of a new name.
    package func makeQueue(id: String) throws(OutboxError) -> String {
        let path = url.appendingPathComponent("queue-\(id).db").path
        let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        close(descriptor)
        return path
    }

    /// Moves away what stands beside a queue and is not its own, before SQLite opens or believes it.
    ///
    /// That is whatever is no regular file of this user's own, and a rollback journal beside more than one page: this
    /// library's files have one only while their first page is made, and SQLite would play a stray one back over the
    /// events.
    package func clearStrays(of path: String) throws(OutboxError) {
        let strays = OutboxDirectory.companions.map { path + $0 }.filter { companion in
            guard let status = FileStatus(at: companion) else { return false }
            return status.foreignTraitOfFile != nil
                || companion.hasSuffix("-journal") && OutboxDirectory.size(path) > 4096
        }
        if !strays.isEmpty { _ = try move(strays, named: OutboxDirectory.name(of: path)) }
    }

    /// Moves a queue that cannot be read, with all that belongs to it, into a directory of its own; deletes nothing.
    ///
    /// Answers where it is now.
    package func setAside(_ path: String) throws(OutboxError) -> String {
        let name = OutboxDirectory.name(of: path)
        unlink(path + ".ballast")
        let target = try move([path + ".mark"] + OutboxDirectory.companions.map { path + $0 } + [path], named: name)
        return target.appendingPathComponent(name).path
    }

    /// Deletes what was set aside as unreadable, because its events may not be kept any longer.
    package func removeSetAside() throws(OutboxError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        for name in names where name.hasPrefix("corrupt-") {
            do {
                try FileManager.default.removeItem(at: url.appendingPathComponent(name))
            } catch {
                throw .unavailable(code: errno)
            }
        }
    }

    /// Gives free the reserve of one queue; `false` when there is none left.
    func releaseBallast() -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.contains { name in
            name.hasSuffix(".ballast") && unlink(url.appendingPathComponent(name).path) == 0
        }
    }

    /// Deletes a queue whose contents have been taken over.
    package static func remove(_ path: String) {
        for suffix in ["", ".mark", ".ballast"] + OutboxDirectory.companions { unlink(path + suffix) }
    }

    private func move(_ paths: [String], named name: String) throws(OutboxError) -> URL {
        for attempt in 1..<1000 {
            let target = url.appendingPathComponent("corrupt-\(attempt)-\(name)")
            guard mkdir(target.path, 0o700) == 0 else {
                guard errno == EEXIST else { throw .system(errno) }
                continue
            }
            for path in paths {
                let moved = target.appendingPathComponent(OutboxDirectory.name(of: path)).path
                if rename(path, moved) != 0, errno != ENOENT { throw .system(errno) }
            }
            return target
        }
        throw .unavailable(code: EEXIST)
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
