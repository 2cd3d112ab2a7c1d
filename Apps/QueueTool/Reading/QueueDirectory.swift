import EventDelivery
import EventOutbox
import Foundation

/// A directory with a queue, and the path given by the user.
struct QueueDirectory {
    /// The path as the user has written it.
    let name: String
    /// The directory's URL without links.
    let url: URL
    /// The queue file, or `nil` if there are only damaged files.
    let file: QueueFile?
    /// The names of the directories into which damaged files were moved.
    let moveAside: [String]

    /// Reads a directory.
    ///
    /// - Parameter path: The path of the directory.
    /// - Throws: The error if it contains no queue or cannot be read.
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
            let isFile = FileStatus.isRegular(at: url.path)
            throw ToolError("\(path): \(isFile ? "this is a file; use its directory" : "cannot be read")", .noQueue)
        }
        let queue = url.appendingPathComponent(OutboxDirectory.queueName).path
        file = names.contains(OutboxDirectory.queueName) ? QueueFile(path: queue) : nil
        moveAside = names.filter { $0.hasPrefix("corrupt-") }
        guard file != nil || !moveAside.isEmpty else { throw ToolError("\(name): there is no queue", .noQueue) }
    }

    /// The process that uses the queue of the directory, or `nil`.
    var owner: Int32? { file?.owner }

    /// The file for which an engine refuses the directory, and the file's trait, or `nil` if it opens it.
    ///
    /// The engine's user is this one. Root looks at the queues of other users, so the engine's user is then the owner of
    /// the queue file.
    var foreignFile: (path: String, trait: OutboxError.ForeignTrait)? {
        var found = stat()
        let isForAnother = geteuid() == 0 && (file.map { unsafe lstat($0.path, &found) } ?? -1) == 0
        return OutboxDirectory.foreignFile(in: url, for: isForAnother ? found.st_uid : geteuid())
    }

    /// The reason for which an engine refuses the directory, in one sentence, or `nil` if it opens it.
    var refusal: String? {
        foreignFile.map { path, trait in
            "an engine refuses \(path): \(OutboxError.foreign(trait)); correct its owner, mode or links"
        }
    }
}

/// A queue file with its companion files.
struct QueueFile {
    /// The path without links.
    let path: String

    var name: String { OutboxDirectory.name(of: path) }

    /// The size in bytes of the file and its write-ahead log.
    var bytes: Int { FileStatus.size(at: path) + FileStatus.size(at: path + "-wal") }

    /// The inodes, sizes and times of the file and its write-ahead log, which reveal changes.
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

    /// Whether the disk reserve was used because the disk was full.
    var hasUsedItsReserve: Bool { !FileStatus.isRegular(at: path + ".reserve") }

    /// The process that uses the file, or `nil`.
    ///
    /// SQLite's lock identifies it. The check opens the file. While a process has the file open, it must not call this
    /// property, because closing a descriptor releases all locks of the process on the file.
    var owner: Int32? {
        // Opening must not block if the file is a pipe.
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

    /// The range of SQLite's locks, which is the same for any file size: the pending, reserved and shared bytes.
    private static let lockedBytes: (start: off_t, length: off_t) = (0x4000_0000, 512)
}
