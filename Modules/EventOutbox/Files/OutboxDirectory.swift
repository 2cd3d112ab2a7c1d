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

/// The directory of one process: `queue.db` with its checkpoint and reserve, the small files, and the lock.
///
/// Everything is made for the owner only (0700 and 0600). Links on the way to the directory are resolved once, because
/// SQLite refuses a path with a link in any part, and each container on iOS has one. From there on no link is followed,
/// and nothing is used that is not a regular file of this user's own.
package struct OutboxDirectory: Sendable {
    /// What SQLite keeps beside a file.
    static let companions = ["-wal", "-journal", "-shm"]
    /// The name of the queue file.
    package static let queueName = "queue.db"

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

    /// Where it is, as the system's calls want it.
    var path: String { url.path }

    /// Where something of a name is in it.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// The names of everything in it.
    func names() throws(OutboxError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
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

    /// Where the queue file is.
    package var queue: String { path(of: OutboxDirectory.queueName) }

    /// The disk reserve beside the queue file.
    package var ballast: Ballast { Ballast(queue: queue) }

    /// Takes the lock of the directory; it is held until it is given up or its process ends.
    package func lock() throws(OutboxError) -> DirectoryLock { try DirectoryLock(at: path(of: "lock")) }

    /// Whether an earlier version of the library has left queue files here, which this one does not touch.
    package func hasEarlierLayout() throws(OutboxError) -> Bool {
        try names().contains { $0.hasPrefix("queue-") && $0.hasSuffix(".db") }
    }

    /// Whether it surely holds no queue file.
    package var hasNoQueue: Bool {
        [queue, queue + Replacement.complete].allSatisfy { FileStatus.isMissing(at: $0) }
    }

    /// Whether a directory surely holds nothing that an earlier run has stored.
    package static func isSurelyEmpty(_ url: URL) -> Bool {
        [queueName, queueName + Replacement.complete, "consent", "erasures"].allSatisfy {
            FileStatus.isSurelyMissing(at: "\(url.path)/\($0)")
        }
    }

    /// Makes an empty queue file and opens it.
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

    /// Replaces a small file in one step; on a full disk the reserve is freed for it.
    func replace(_ path: String, with bytes: [UInt8]) throws(OutboxError) {
        do throws(OutboxError) {
            try OwnFile.replace(path, with: bytes)
        } catch .full {
            guard ballast.release() else { throw .full }
            try OwnFile.replace(path, with: bytes)
        }
    }

    /// Deletes a queue file with all that belongs to it.
    package static func remove(_ path: String) {
        for suffix in ["", ".mark", ".ballast"] + OutboxDirectory.companions { unlink(path + suffix) }
    }

    /// The last component of a path.
    package static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The inode of a regular file; `nil` where there is none.
    package static func inodeNumber(_ path: String) -> UInt64? {
        FileStatus(at: path).flatMap { $0.kind == S_IFREG ? $0.inode : nil }
    }

    /// Whether there is nothing at a path; `false` if that cannot be found out.
    package static func isMissing(_ path: String) -> Bool { FileStatus.isMissing(at: path) }

    package static func isRegularFile(_ path: String) -> Bool { FileStatus(at: path)?.kind == S_IFREG }

    package static func size(_ path: String) -> Int { FileStatus(at: path)?.size ?? 0 }
}

// A queue file that takes the place of a damaged one or of one whose last changes may not be on the disk.
extension OutboxDirectory {
    /// The endings of a replacement's name: while it is written, and once it is complete and synced.
    private enum Replacement {
        static let unfinished = ".new"
        static let complete = ".next"
    }

    /// Writes a queue file that replaces the present one with ``completeReplacement()``, also after a kill.
    ///
    /// - Parameter body: Writes all contents into the new file, with a barrier.
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

    /// Moves the present queue file aside and puts a complete replacement in its place, if there is one.
    package func completeReplacement() throws(OutboxError) {
        OutboxDirectory.remove(queue + Replacement.unfinished)
        let complete = queue + Replacement.complete
        guard FileStatus(at: complete) != nil else { return }
        // A log of the old file would be played into the new one.
        let old = [""] + OutboxDirectory.companions
        if old.contains(where: { FileStatus(at: queue + $0) != nil }) { _ = try setAside() }
        guard rename(complete, queue) == 0 else { throw .system(errno) }
        try OwnDirectory(path).sync()
    }
}

// What stands in the directory and is not the library's own.
extension OutboxDirectory {
    /// How long a file that is being written is left alone, in seconds.
    private static let writingTime: Int64 = 600

    /// Moves away what stands beside the queue and is not its own, before SQLite opens or believes it.
    ///
    /// That is whatever is no regular file of this user's own, and a rollback journal beside more than one page: this
    /// library's files have one only while their first page is made, and SQLite would play a stray one back over the
    /// events. A log without a queue is stray, too.
    package func moveStraysAside() throws(OutboxError) {
        let isMissing = FileStatus.isMissing(at: queue)
        let strays = OutboxDirectory.companions.map { queue + $0 }.filter { companion in
            guard let status = FileStatus(at: companion) else { return false }
            return isMissing || status.foreignTraitOfFile != nil
                || companion.hasSuffix("-journal") && OutboxDirectory.size(queue) > 4096
        }
        if !strays.isEmpty { _ = try move(strays, named: OutboxDirectory.queueName) }
    }

    /// Deletes small files that a process which was killed has not finished.
    func removeStrays() {
        guard let names = try? names() else { return }
        // Half-written files have their time from the system's clock, and nobody else's.
        let now = Int64(time(nil))
        for name in names where TemporaryName.matches(name) {
            let path = path(of: name)
            guard let status = FileStatus(at: path), status.kind == S_IFREG else { continue }
            if now - status.modified.seconds > OutboxDirectory.writingTime { unlink(path) }
        }
    }
}

// Damaged files keep what they hold in directories of their own, `corrupt-…`, for whoever wants to look into them.
extension OutboxDirectory {
    /// How much of what was set aside is kept, and for how long.
    package struct SetAsideLimit: Sendable, Hashable {
        /// The longest time since it was set aside.
        package var age: Duration
        /// The most bytes of all of it.
        package var bytes: Int

        package init(age: Duration = .seconds(30 * 24 * 60 * 60), bytes: Int = 20_000_000) {
            self.age = age
            self.bytes = bytes
        }
    }

    /// Moves the queue file, with all that belongs to it, into a directory of its own; deletes nothing but the reserve.
    ///
    /// Returns where it is now.
    @discardableResult
    package func setAside() throws(OutboxError) -> String {
        _ = ballast.release()
        let paths = [queue + ".mark"] + OutboxDirectory.companions.map { queue + $0 } + [queue]
        return "\(try move(paths, named: OutboxDirectory.queueName))/\(OutboxDirectory.queueName)"
    }

    /// Deletes what was set aside as unreadable, because its events may not be kept any longer.
    package func removeSetAside() throws(OutboxError) {
        for directory in try setAsideDirectories() { try OutboxDirectory.delete(directory) }
    }

    /// Deletes what was set aside too long ago, and then the oldest while there is too much; returns how many times
    /// something was set aside that is gone now.
    ///
    /// What seems to come from the future is as good as new.
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

    /// When something was put into a directory.
    private static func modificationTime(of path: String) -> Timestamp {
        Timestamp(microseconds: 0).advanced(bySeconds: FileStatus(at: path)?.modified.seconds ?? 0)
    }

    /// The bytes of all files in a directory; links are not followed.
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

    /// Moves files into a new directory that is named for one of them; returns where that is.
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

/// Disk space that is kept in reserve: on a full disk even deleting needs some, for the log of the deletion.
package struct Ballast: Sendable {
    private static let bytes = 1_048_576 + 262_144
    // The reserve is written in pieces: glibc keeps, for each thread, twice as much free memory as the largest block
    // that was ever freed.
    private static let piece = 65_536
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
            let zeros = [UInt8](repeating: 0, count: Ballast.piece)
            for offset in stride(from: 0, to: Ballast.bytes, by: Ballast.piece) { try file.write(zeros, at: offset) }
        } catch {
            unlink(path)
        }
    }

    /// Frees the reserve; returns whether there was one.
    package func release() -> Bool {
        unlink(path) == 0
    }
}
