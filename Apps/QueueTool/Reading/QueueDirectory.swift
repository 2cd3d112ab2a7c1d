import EventDelivery
import EventOutbox
import Foundation

/// A directory of queues under the name that the user has given it.
struct QueueDirectory {
    /// The name, as the user has written it.
    let name: String
    /// Where it is, without a link in any part.
    let url: URL
    /// The queue file; none if only damaged files are left.
    let files: [QueueFile]
    /// The names of the directories into which damaged files were moved.
    let setAside: [String]

    /// Looks into a directory; there must be a queue in it.
    init(_ path: String) throws(ToolError) {
        name = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard let real = unsafe realpath(path, nil) else {
            throw ToolError("\(path): \(unsafe String(cString: strerror(errno)))", .noQueue)
        }
        defer { unsafe free(real) }
        url = unsafe URL(fileURLWithFileSystemRepresentation: real, isDirectory: true, relativeTo: nil)
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        } catch {
            let isFile = OutboxDirectory.isRegularFile(url.path)
            throw ToolError("\(path): \(isFile ? "a file; name its directory" : "cannot be read")", .noQueue)
        }
        files = names.filter { $0 == OutboxDirectory.queueName }
            .map { [url] in QueueFile(path: url.appendingPathComponent($0).path) }
        setAside = names.filter { $0.hasPrefix("corrupt-") }
        guard !files.isEmpty || !setAside.isEmpty else { throw ToolError("\(name): there is no queue", .noQueue) }
    }

    /// The processes that use a queue of the directory, with the files that they use.
    var owners: [(process: Int32, file: QueueFile)] {
        files.compactMap { file in file.owner.map { (process: $0, file: file) } }
    }
}

/// A queue file, with what lies beside it.
struct QueueFile {
    /// Its path, without a link.
    let path: String

    /// Its name.
    var name: String { OutboxDirectory.name(of: path) }

    /// The bytes of the file and its write-ahead log.
    var bytes: Int { OutboxDirectory.size(path) + OutboxDirectory.size(path + "-wal") }

    /// What changes with the file and its write-ahead log: their inodes, sizes and times.
    var status: [Int64] {
        [path, path + "-wal"].flatMap { path -> [Int64] in
            var found = stat()
            guard unsafe lstat(path, &found) == 0 else { return [-1] }
            #if canImport(Darwin)
            let time = found.st_mtimespec
            #else
            let time = found.st_mtim
            #endif
            return [Int64(found.st_ino), Int64(found.st_size), Int64(time.tv_sec), Int64(time.tv_nsec)]
        }
    }

    /// Whether the space is gone that the queue keeps for a full disk: a full disk has taken it.
    var hasUsedItsReserve: Bool { !OutboxDirectory.isRegularFile(path + ".ballast") }

    /// The process that uses the file; `nil` when none does.
    ///
    /// SQLite's lock names it. The question opens the file, and a process that has the file open itself must not ask
    /// it: closing a descriptor gives up all locks that the process has on the file.
    var owner: Int32? {
        // A pipe of this name must not be waited for.
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = QueueFile.lockedBytes
        guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }

    /// Where SQLite's locks lie, whatever the size of the file: the pending, the reserved and the shared bytes.
    private static let lockedBytes: (start: off_t, length: off_t) = (0x4000_0000, 512)
}
