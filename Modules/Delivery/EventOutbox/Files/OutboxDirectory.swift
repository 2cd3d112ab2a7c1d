package import EventBuffer

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The directory of an outbox: `queue.db` with its checkpoint and disk reserve, the small files and the lock.
///
/// One process uses it at a time.
///
/// All files are accessible for their owner only (0700 and 0600). Links in the path of the directory are resolved once:
/// SQLite refuses a path with a link in any part, and every container on iOS has one. After that, no link is followed,
/// and only regular files of this user are used.
package struct OutboxDirectory: Sendable {
    /// The suffixes of SQLite's companion files.
    static let companions = ["-wal", "-journal", "-shm"]
    /// The name of the queue file.
    package static let queueName = "queue.db"

    /// The directory's URL without links.
    package let url: URL

    /// Creates the directory if it does not exist.
    ///
    /// - Parameter url: The directory.
    /// - Throws: `OutboxError.foreign` if another user created it or may write to it, or the error of the file system.
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
        // A link instead of the directory may belong to another user.
        guard FileStatus(at: url.path)?.kind == S_IFDIR else { throw .foreign(.kind) }
        self.url = try OutboxDirectory.resolved(url)
        _ = try OwnDirectory(self.url.path)
        FileProtection.apply(to: self.url)
        removeStrays()
    }

    /// The directory's path for system calls.
    var path: String { url.path }

    /// Returns the path of a file in the directory.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Returns the names of all files in the directory.
    func names() throws(OutboxError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .unavailable(code: EACCES)
        }
    }

    /// Resolves all links with `realpath`.
    ///
    /// Foundation does not resolve the link `/var` on Apple platforms.
    private static func resolved(_ url: URL) throws(OutboxError) -> URL {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard realpath(url.path, &path) != nil else { throw .system(errno) }
        return URL(fileURLWithFileSystemRepresentation: path, isDirectory: true, relativeTo: nil)
    }

    /// The path of the queue file.
    package var queue: String { path(of: OutboxDirectory.queueName) }

    /// The disk reserve next to the queue file.
    package var reserve: DiskReserve { DiskReserve(queue: queue) }

    /// Locks the directory.
    ///
    /// - Returns: The lock, which is held until it is released or the process ends.
    /// - Throws: The errors of `DirectoryLock`.
    package func lock() throws(OutboxError) -> DirectoryLock { try DirectoryLock(at: path(of: "lock")) }

    /// Whether the directory contains queue files of an earlier version, which this version does not use.
    ///
    /// - Throws: The error if the directory cannot be read.
    package func hasEarlierLayout() throws(OutboxError) -> Bool {
        try names().contains { $0.hasPrefix("queue-") && $0.hasSuffix(".db") }
    }

    /// Whether the directory certainly contains no queue file.
    package var hasNoQueue: Bool {
        [queue, queue + Replacement.complete].allSatisfy { FileStatus.isMissing(at: $0) }
    }

    /// Whether a directory certainly contains no events, decisions or erasures of an earlier run.
    package static func isSurelyEmpty(_ url: URL) -> Bool {
        [queueName, queueName + Replacement.complete, "consent", "erasures"].allSatisfy {
            FileStatus.isSurelyMissing(at: "\(url.path)/\($0)")
        }
    }

    /// Creates an empty queue file and opens it.
    ///
    /// - Returns: The outbox in the new file.
    /// - Throws: The storage error.
    package func makeOutbox() throws(OutboxError) -> SQLiteOutbox {
        try makeOutbox(at: queue)
    }

    private func makeOutbox(at path: String) throws(OutboxError) -> SQLiteOutbox {
        let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        close(descriptor)
        do throws(OutboxError) {
            return try SQLiteOutbox(path: path)
        } catch {
            OutboxDirectory.remove(path)
            throw error
        }
    }

    /// Replaces a small file atomically.
    ///
    /// If the disk is full, frees the disk reserve and tries again.
    func replace(_ path: String, with bytes: [UInt8]) throws(OutboxError) {
        do throws(OutboxError) {
            try OwnFile.replace(path, with: bytes)
        } catch .full {
            guard reserve.release() else { throw .full }
            try OwnFile.replace(path, with: bytes)
        }
    }

    /// Deletes a queue file with its companion files.
    package static func remove(_ path: String) {
        for suffix in ["", ".mark", ".ballast"] + OutboxDirectory.companions { unlink(path + suffix) }
    }

    /// Returns the last component of a path.
    package static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Returns the inode number of a regular file, or `nil` if there is none.
    package static func inodeNumber(_ path: String) -> UInt64? {
        FileStatus(at: path).flatMap { $0.kind == S_IFREG ? $0.inode : nil }
    }

    /// Whether there is no file at a path.
    ///
    /// It is `false` if this cannot be determined.
    package static func isMissing(_ path: String) -> Bool { FileStatus.isMissing(at: path) }

    package static func isRegularFile(_ path: String) -> Bool { FileStatus(at: path)?.kind == S_IFREG }

    package static func size(_ path: String) -> Int { FileStatus(at: path)?.size ?? 0 }
}

// Replacing a queue file that is damaged or whose last changes may be missing on disk.
extension OutboxDirectory {
    /// The suffixes of a replacement's name: while it is written, and when it is complete and synced.
    private enum Replacement {
        static let unfinished = ".new"
        static let complete = ".next"
    }

    /// Writes the replacement for the queue file, which ``completeReplacement()`` then moves into place.
    ///
    /// A complete replacement is also used if the process is killed before that.
    ///
    /// - Parameter body: Writes all contents into the new file, with a barrier.
    /// - Throws: The storage error, or the error that `body` throws.
    package func prepareReplacement(
        _ body: (SQLiteOutbox) throws(OutboxError) -> Void
    ) throws(OutboxError) {
        let unfinished = queue + Replacement.unfinished
        OutboxDirectory.remove(unfinished)
        let new = try makeOutbox(at: unfinished)
        do throws(OutboxError) {
            try body(new)
            try new.checkpoint("TRUNCATE")
        } catch {
            new.discard()
            throw error
        }
        new.close()
        guard rename(unfinished, queue + Replacement.complete) == 0 else {
            let code = errno
            OutboxDirectory.remove(unfinished)
            throw .system(code)
        }
        try OwnDirectory(path).sync()
    }

    /// Moves the queue file aside and a complete replacement into its place, if there is one.
    ///
    /// An unfinished replacement is deleted.
    ///
    /// - Throws: The error of the file system.
    package func completeReplacement() throws(OutboxError) {
        OutboxDirectory.remove(queue + Replacement.unfinished)
        let complete = queue + Replacement.complete
        guard FileStatus(at: complete) != nil else { return }
        // SQLite would apply the old file's log to the new file.
        let old = [""] + OutboxDirectory.companions
        if old.contains(where: { FileStatus(at: queue + $0) != nil }) { _ = try setAside() }
        guard rename(complete, queue) == 0 else { throw .system(errno) }
        try OwnDirectory(path).sync()
    }
}

// Files in the directory that do not belong to the library.
extension OutboxDirectory {
    /// The age in seconds after which an unfinished file counts as abandoned.
    private static let writingTime: Int64 = 600

    /// Moves files away that look like the queue file's companions but are not, before SQLite reads them.
    ///
    /// These are all files that are not regular files of this user, and a rollback journal next to a file of more than
    /// one page. This library's files have such a journal only while their first page is written. SQLite would
    /// otherwise restore it over the events. A log without a queue file is also moved away.
    ///
    /// - Throws: The error of the file system.
    package func moveStraysAside() throws(OutboxError) {
        let isMissing = FileStatus.isMissing(at: queue)
        let strays = OutboxDirectory.companions.map { queue + $0 }.filter { companion in
            guard let status = FileStatus(at: companion) else { return false }
            return isMissing || status.foreignTraitOfFile != nil
                || companion.hasSuffix("-journal") && OutboxDirectory.size(queue) > 4096
        }
        if !strays.isEmpty { _ = try move(strays, named: OutboxDirectory.queueName) }
    }

    /// Deletes unfinished small files of a killed process.
    func removeStrays() {
        guard let names = try? names() else { return }
        // The file system sets these times from the system's clock, so they are compared with that clock.
        let now = Int64(time(nil))
        for name in names where TemporaryName.matches(name) {
            let path = path(of: name)
            guard let status = FileStatus(at: path), status.kind == S_IFREG else { continue }
            if now - status.modified.seconds > OutboxDirectory.writingTime { unlink(path) }
        }
    }
}

// Damaged files are kept for inspection in directories named `corrupt-…`.
extension OutboxDirectory {
    /// The limits on damaged files that are kept.
    package struct SetAsideLimit: Sendable, Hashable {
        /// The maximum age.
        package var age: Duration
        /// The maximum total size in bytes.
        package var bytes: Int

        package init(age: Duration = .seconds(30 * 24 * 60 * 60), bytes: Int = 20_000_000) {
            self.age = age
            self.bytes = bytes
        }
    }

    /// Moves the queue file and its companions into a new directory, and deletes the disk reserve.
    ///
    /// - Returns: The path of the moved queue file.
    /// - Throws: The error of the file system.
    @discardableResult
    package func setAside() throws(OutboxError) -> String {
        _ = reserve.release()
        let paths = [queue + ".mark"] + OutboxDirectory.companions.map { queue + $0 } + [queue]
        return "\(try move(paths, named: OutboxDirectory.queueName))/\(OutboxDirectory.queueName)"
    }

    /// Deletes all damaged files that were moved aside, because their events must not be kept any longer.
    ///
    /// - Throws: The error if a file could not be deleted.
    package func removeSetAside() throws(OutboxError) {
        for directory in try setAsideDirectories() { try OutboxDirectory.delete(directory) }
    }

    /// Deletes damaged files that are too old, then the oldest ones until the rest is within the limit.
    ///
    /// A time in the future counts as new.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - limit: The limits on age and size.
    /// - Returns: The number of deleted directories.
    /// - Throws: The error of the file system.
    @discardableResult
    package func trimSetAside(now: Timestamp, limit: SetAsideLimit = SetAsideLimit()) throws(OutboxError) -> Int {
        var kept = try setAsideDirectories().map { (path: $0, time: OutboxDirectory.modificationTime(of: $0)) }
        kept.sort { $0.time < $1.time }
        let total = kept.count
        let oldest = now.advanced(bySeconds: -limit.age.components.seconds)
        var bytes = kept.map { OutboxDirectory.bytes(in: $0.path) }
        while let first = kept.first {
            guard first.time < oldest || bytes.reduce(0, { $0.saturatingAdd($1) }) > limit.bytes else { break }
            try OutboxDirectory.delete(first.path)
            kept.removeFirst()
            bytes.removeFirst()
        }
        return total - kept.count
    }

    private func setAsideDirectories() throws(OutboxError) -> [String] {
        try names().filter { $0.hasPrefix("corrupt-") }.map { path(of: $0) }
    }

    /// Returns the modification time of a directory.
    private static func modificationTime(of path: String) -> Timestamp {
        Timestamp(microseconds: 0).advanced(bySeconds: FileStatus(at: path)?.modified.seconds ?? 0)
    }

    /// Returns the size in bytes of all files in a directory, without following links.
    private static func bytes(in path: String) -> Int {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return names.reduce(0) { $0.saturatingAdd(OutboxDirectory.size(path + "/" + $1)) }
    }

    private static func delete(_ path: String) throws(OutboxError) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            let code = (error as? CocoaError)?.underlying as? POSIXError
            throw .unavailable(code: code.map { $0.code.rawValue } ?? EIO)
        }
    }

    /// Moves files into a new directory that is named after one of them.
    ///
    /// Returns the directory's path.
    func move(_ paths: [String], named name: String) throws(OutboxError) -> String {
        for attempt in 1..<1000 {
            let target = path(of: "corrupt-\(attempt)-\(name)")
            guard mkdir(target, 0o700) == 0 else {
                guard errno == EEXIST else { throw .system(errno) }
                continue
            }
            for path in paths {
                let moved = "\(target)/\(OutboxDirectory.name(of: path))"
                if rename(path, moved) != 0, errno != ENOENT { throw .system(errno) }
            }
            return target
        }
        throw .unavailable(code: EEXIST)
    }
}

/// A reserve of disk space.
///
/// If the disk is full, even a deletion needs space for its log.
package struct DiskReserve: Sendable {
    private static let bytes = 1_048_576 + 262_144
    // The reserve is written in pieces: glibc keeps, for each thread, twice as much free memory as the largest block
    // that was ever freed.
    private static let piece = 65_536
    private let path: String

    package init(queue: String) {
        path = queue + ".ballast"
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
