import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The directory of the outbox files: one `queue-….db` for each process, with its mark and ballast beside it.
///
/// Everything is made for the owner only (0700 and 0600). Nothing that is not a regular file is opened, and no link is
/// followed.
struct OutboxDirectory: Sendable {
    let url: URL

    /// Makes the directory where it is missing.
    init(_ url: URL) throws(OutboxError) {
        self.url = url
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .unavailable(code: errno)
        }
        var status = stat()
        guard lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .unavailable(code: ENOTDIR)
        }
        FileProtection.apply(to: url)
    }

    /// The paths of all queue files, oldest name first; what is no regular file is left out.
    func queues() throws(OutboxError) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw .unavailable(code: EACCES)
        }
        return names.filter { $0.hasPrefix("queue-") && $0.hasSuffix(".db") }.sorted()
            .map { url.appendingPathComponent($0).path }
            .filter { OutboxDirectory.isRegularFile($0) }
    }

    /// Makes an empty queue file of a new name.
    func makeQueue(id: String) throws(OutboxError) -> String {
        let path = url.appendingPathComponent("queue-\(id).db").path
        let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw OutboxDirectory.error(errno) }
        close(descriptor)
        return path
    }

    /// Moves a queue that cannot be read, with all that belongs to it, into a directory of its own; deletes nothing.
    func setAside(_ path: String) throws(OutboxError) -> String {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        var attempt = 1
        while true {
            let target = url.appendingPathComponent("corrupt-\(attempt)-\(name)")
            if mkdir(target.path, 0o700) == 0 {
                for suffix in ["", "-wal", "-journal", "-shm"] {
                    let source = path + suffix
                    let moved = target.appendingPathComponent(URL(fileURLWithPath: source).lastPathComponent).path
                    if rename(source, moved) != 0, errno != ENOENT { throw OutboxDirectory.error(errno) }
                }
                return target.appendingPathComponent(URL(fileURLWithPath: path).lastPathComponent).path
            }
            guard errno == EEXIST, attempt < 1000 else { throw OutboxDirectory.error(errno) }
            attempt += 1
        }
    }

    /// Deletes what was set aside as unreadable, because its events may not be kept any longer.
    func removeSetAside() throws(OutboxError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        for name in names where name.hasPrefix("corrupt-") {
            do {
                try FileManager.default.removeItem(at: url.appendingPathComponent(name))
            } catch {
                throw .unavailable(code: errno)
            }
        }
    }

    /// Deletes a queue whose contents have been taken over.
    func remove(_ path: String) {
        for suffix in ["-wal", "-journal", "-shm", ".mark", ".ballast", ""] { unlink(path + suffix) }
    }

    /// Whether the file at a path is the one that was opened: false once it was unlinked or replaced.
    static func isPresent(_ path: String, inode: UInt64) -> Bool {
        inodeNumber(path) == inode
    }

    /// The inode of a regular file; `nil` where there is none.
    static func inodeNumber(_ path: String) -> UInt64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(status.st_ino)
    }

    static func isRegularFile(_ path: String) -> Bool { inodeNumber(path) != nil }

    static func size(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func error(_ code: Int32) -> OutboxError {
        code == ENOSPC || code == EDQUOT ? .full : .unavailable(code: code)
    }
}

/// Disk space that is kept in reserve: on a full disk even deleting needs some, for the log of the deletion.
struct Ballast: Sendable {
    private static let bytes = 1_048_576 + 262_144
    private let path: String

    init(queue: String) {
        path = queue + ".ballast"
    }

    /// Takes the reserve, unless it is there or the disk has no room for it.
    func fill() {
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
    func release() -> Bool {
        unlink(path) == 0
    }
}
