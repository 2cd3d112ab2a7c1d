import CLibrary
package import EventTracking

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The directory of an outbox: the queue file with its checkpoint and disk reserve, damaged files, and the lock.
///
/// One process uses it at a time.
///
/// All files are accessible for their owner only (0700 and 0600). If a supervisor has opened them to a group, their
/// modes are restored when the directory is opened and locked. Links in the path of the directory are resolved once:
/// SQLite refuses a path with a link in any part, and every container on iOS has one. After that, no link is followed,
/// and only regular files of this user are used.
package struct OutboxDirectory: Sendable {
    /// The name of the queue file.
    package static let queueName = "queue.db"
    /// The name of the lock file.
    private static let lockName = "lock"

    /// The directory's URL without links.
    package let url: URL
    /// The size of the pages of a new queue file in bytes.
    private let pageSize: Int
    /// Whether a group could write to the directory, or to a file of the queue, before it was opened.
    package private(set) var wasOpenToGroup = false

    /// Creates the directory if it does not exist.
    ///
    /// - Parameters:
    ///   - url: The directory.
    ///   - pageSize: The size of the pages of a new queue file in bytes.
    /// - Throws: `OutboxError.foreign` if another user created it or may write to it, or the error of the file system.
    package init(_ url: URL, pageSize: Int = 4_096) throws(OutboxError) {
        self.pageSize = pageSize
        try OutboxDirectory.withFiles {
            try $0.createDirectory(at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        // A link instead of the directory may belong to another user.
        guard FileStatus(at: url.path)?.kind == S_IFDIR else { throw .foreign(.kind) }
        self.url = try OutboxDirectory.resolved(url)
        wasOpenToGroup = ([path] + queueFiles).contains { FileStatus(at: $0)?.isOpenToGroup ?? false }
        _ = try OwnDirectory(self.url.path)
        FileProtection.apply(to: self.url)
        removeStrays()
    }

    /// Runs a file operation of Foundation, and converts its error.
    static func withFiles(_ body: (FileManager) throws -> Void) throws(OutboxError) {
        do {
            try body(.default)
        } catch {
            let cause = (error as? CocoaError)?.underlying as? POSIXError
            throw .unavailable(code: cause.map { $0.code.rawValue } ?? EIO)
        }
    }

    /// The directory's path for system calls.
    var path: String { url.path }

    /// Returns the path of a file in the directory.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Returns the paths of all files with a suitable name, or none if the directory cannot be read.
    private func files(named isIncluded: (String) -> Bool) -> [String] {
        ((try? names()) ?? []).filter(isIncluded).map(path(of:))
    }

    /// The paths of the queue file and of the files beside it.
    private var queueFiles: [String] { files { $0.hasPrefix(OutboxDirectory.queueName) } }

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
    package func lock() throws(OutboxError) -> DirectoryLock {
        let lock = try DirectoryLock(at: path(of: OutboxDirectory.lockName))
        // Before any file is changed.
        for suffix in ["", OutboxReplacement.Suffix.complete] { try OwnFile.claim(queue + suffix) }
        // SQLite opens its files by their names, and checks no owner or mode. A foreign one is moved later.
        for path in queueFiles { try? OwnFile.claim(path) }
        return lock
    }

    /// Whether another engine of this process has locked a directory.
    ///
    /// - Parameter url: The directory, which this engine could not lock.
    package static func isLockedByThisProcess(_ url: URL) -> Bool {
        DirectoryLock.isOpenInThisProcess("\(url.path)/\(lockName)")
    }

    /// Whether the queue file is lost: it does not exist, but files created beside it do.
    ///
    /// - Throws: The error if the directory cannot be read.
    package func lacksQueue() throws(OutboxError) -> Bool {
        guard FileStatus.isMissing(at: queue) else { return false }
        return try names().contains { $0.hasPrefix("corrupt-") || $0.hasPrefix(OutboxDirectory.queueName) }
    }

    /// Whether there are files created only after the first rows of the queue file.
    ///
    /// - Throws: The error if the directory cannot be read.
    package func wasUsed() throws(OutboxError) -> Bool {
        let later = [".checkpoint", ".reserve"].map { OutboxDirectory.queueName + $0 }
        return try names().contains { $0.hasPrefix("corrupt-") || later.contains($0) }
    }

    /// Whether a directory certainly contains no events or decisions of an earlier run.
    package static func isSurelyEmpty(_ url: URL) -> Bool {
        ["", OutboxReplacement.Suffix.complete, ".checkpoint", ".reserve"].allSatisfy {
            FileStatus.isMissing(at: "\(url.path)/\(queueName)\($0)", by: [ENOENT, ENOTDIR])
        }
    }

    /// Returns the time of the last change of a queue file in seconds since 1970, or `nil` if there is none.
    ///
    /// - Parameter url: The directory.
    package static func lastChange(in url: URL) -> Int64? {
        ["", "-wal", ".checkpoint"]
            .compactMap { FileStatus(at: "\(url.path)/\(queueName)\($0)")?.modified.seconds }
            .max()
    }

    /// Creates an empty queue file and opens it.
    ///
    /// - Returns: The outbox in the new file.
    /// - Throws: The storage error.
    package func makeOutbox() throws(OutboxError) -> SQLiteOutbox {
        try makeOutbox(at: queue)
    }

    /// Makes the names in the directory survive a power loss.
    ///
    /// - Throws: The error of the file system.
    package func sync() throws(OutboxError) { try OwnDirectory(path).sync() }

    func makeOutbox(at path: String) throws(OutboxError) -> SQLiteOutbox {
        let descriptor = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        close(descriptor)
        do throws(OutboxError) {
            return try SQLiteOutbox(path: path, pageSize: pageSize)
        } catch {
            OwnFile.remove(queue: path)
            throw error
        }
    }

    /// Returns the last component of a path.
    package static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.index(after: $0)...]) } ?? path
    }
}

// Foreign files in the directory.
extension OutboxDirectory {
    /// Returns the file for which an engine refuses a directory, and the file's trait, or `nil` if it opens it.
    ///
    /// - Parameters:
    ///   - url: The directory, without a link in its path.
    ///   - user: The user of the engine's process.
    package static func foreignFile(in url: URL, for user: UInt32) -> (path: String, trait: OutboxError.ForeignTrait)? {
        [("", S_IFDIR), ("/\(lockName)", S_IFREG), ("/\(queueName)", S_IFREG)].lazy.compactMap { name, kind in
            FileStatus(at: url.path + name)?.foreignTrait(kind, for: user).map { (url.path + name, $0) }
        }.first
    }

    /// The age in seconds after which an unfinished file counts as abandoned.
    private static let writingTime: Int64 = 600

    /// Moves files away that look like the queue file's companions but are not, before SQLite reads them.
    ///
    /// These are all files except regular files of this user, and a rollback journal next to a file of more than one
    /// page. This library's files have such a journal only while their first page is written. SQLite would otherwise
    /// restore it over the events. A log without a queue file is also moved away.
    ///
    /// - Throws: The error of the file system.
    package func moveStraysAside() throws(OutboxError) {
        let isMissing = FileStatus.isMissing(at: queue)
        let strays = OwnFile.companions.map { queue + $0 }.filter { companion in
            guard let status = FileStatus(at: companion) else { return false }
            return isMissing || status.foreignTrait(S_IFREG) != nil
                || companion.hasSuffix("-journal") && FileStatus.size(at: queue) > 4096
        }
        if !strays.isEmpty { _ = try move(strays, named: OutboxDirectory.queueName) }
    }

    /// Deletes unfinished small files of a killed process.
    func removeStrays() {
        // The file system sets these times from the system's clock, so they are compared with that clock.
        let oldest = Int64(time(nil)) - OutboxDirectory.writingTime
        for path in files(named: TemporaryName.matches) {
            if let file = FileStatus(at: path), file.kind == S_IFREG, file.modified.seconds < oldest { unlink(path) }
        }
    }
}
