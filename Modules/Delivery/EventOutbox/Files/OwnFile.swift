import CLibrary
import EventTracking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An open regular file of this user.
///
/// It rejects links, pipes and files of other users.
struct OwnFile: ~Copyable {
    /// The suffixes of SQLite's companions of a queue file.
    static let companions = ["-wal", "-journal", "-shm"]

    private let descriptor: Int32

    /// Opens a file with the flags of `open(2)`.
    ///
    /// A new file is accessible for its owner only.
    ///
    /// - Throws: `OutboxError.foreign` if it is not a regular file of this user, or the error of the file system.
    init(_ path: String, flags: Int32) throws(OutboxError) {
        descriptor = try OwnFile.descriptor(of: path, flags: flags, kind: S_IFREG)
    }

    /// Opens a file or directory of this user, to which only this user can write from then on.
    ///
    /// A supervisor can open the files to a group after the library created them, such as Kubernetes with `fsGroup`.
    /// The library takes such a file back, and uses it. That is safe for these reasons:
    ///
    /// - Another user's file in its place has another owner, another user's link to a file of this user is a second
    ///   hard link or a symbolic link, and all of them are refused before the mode changes.
    /// - The mode of the open file changes, not that of its path, where there may be another file now.
    /// - The group could already write to the file. Its contents are therefore read like those of a damaged file, by
    ///   checksums and limits, and contain no address, no credential and no path.
    ///
    /// A member of the group that has the file open keeps this access, and an additional hard link stays refused.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - flags: The flags of `open(2)`. A new file is accessible for its owner only.
    ///   - kind: The expected file type bits, `S_IFREG` or `S_IFDIR`.
    /// - Throws: `OutboxError.foreign` if it is not of this user and kind, or if its mode cannot be changed, or the
    ///   error of the file system.
    static func descriptor(of path: String, flags: Int32, kind: mode_t) throws(OutboxError) -> Int32 {
        // Opening a device or a pipe can have side effects, so the status is checked first.
        if let trait = FileStatus(at: path)?.foreignTrait(kind) { throw .foreign(trait) }
        let descriptor = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        do throws(OutboxError) {
            let status = try FileStatus(of: descriptor)
            if let trait = status.foreignTrait(kind) { throw .foreign(trait) }
            guard status.isOpenToGroup else { return descriptor }
            // Some file systems ignore the call, so its effect is checked instead of its result.
            fchmod(descriptor, kind == S_IFDIR ? 0o700 : 0o600)
            guard try !FileStatus(of: descriptor).isOpenToGroup else { throw .foreign(.permissions) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Deletes a queue file with its companions, its checkpoint and its disk reserve.
    static func remove(queue path: String) {
        for suffix in ["", ".checkpoint", ".reserve"] + companions { unlink(path + suffix) }
    }

    /// Checks a file that SQLite opens by its path, and takes it back from its group.
    ///
    /// Closing any descriptor of a file releases SQLite's locks on it. This function therefore opens the file only if
    /// its mode must change. Call it before SQLite opens the file.
    ///
    /// - Throws: The errors of ``init(_:flags:)``.
    static func claim(_ path: String) throws(OutboxError) {
        guard let status = FileStatus(at: path) else { return }
        if let trait = status.foreignTrait(S_IFREG) { throw .foreign(trait) }
        if status.isOpenToGroup { _ = try OwnFile(path, flags: O_RDONLY) }
    }

    deinit {
        close(descriptor)
    }

    /// Reads a small file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The maximum size in bytes.
    /// - Returns: The contents, or `nil` if there is no file.
    /// - Throws: `OutboxError.corrupt` if the file is larger than `limit`, or the error of the file system.
    static func contents(of path: String, limit: Int) throws(OutboxError) -> [UInt8]? {
        do throws(OutboxError) {
            return try OwnFile(path, flags: O_RDONLY).read(limit: limit)
        } catch .unavailable(code: ENOENT) {
            return nil
        }
    }

    /// Atomically replaces the file at a path, or creates it.
    ///
    /// When the function returns, the new contents survive a power loss. A file of another user is replaced and not
    /// written into.
    ///
    /// - Throws: The error of the file system. The old file is still there then, unless only the last sync has failed.
    static func replace(_ path: String, with bytes: [UInt8]) throws(OutboxError) {
        let directory = try OwnDirectory(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        let temporary = path + TemporaryName.make()
        do throws(OutboxError) {
            let file = try OwnFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
            try file.write(bytes)
            try file.sync()
            guard rename(temporary, path) == 0 else { throw .system(errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        try directory.sync()
    }

    /// Overwrites the first bytes of the file.
    borrowing func write(_ bytes: [UInt8]) throws(OutboxError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written, off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw count == 0 ? .full : .system(errno) }
            written += count
        }
    }

    /// Allocates the disk space of an empty file's first bytes, which are zero then.
    borrowing func allocate(_ count: Int) throws(OutboxError) {
        #if canImport(Darwin)
        var space = fstore_t(
            fst_flags: UInt32(F_ALLOCATEALL),
            fst_posmode: F_PEOFPOSMODE,
            fst_offset: 0,
            fst_length: off_t(count),
            fst_bytesalloc: 0
        )
        guard fcntl(descriptor, F_PREALLOCATE, &space) == 0, ftruncate(descriptor, off_t(count)) == 0 else {
            throw .system(errno)
        }
        #else
        var code = EINTR
        while code == EINTR { code = posix_fallocate(descriptor, 0, off_t(count)) }
        guard code == 0 else { throw .system(code) }
        #endif
    }

    private borrowing func read(limit: Int) throws(OutboxError) -> [UInt8] {
        let size = try FileStatus(of: descriptor).size
        guard size <= limit else { throw .corrupt }
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            guard count > 0 else { return Array(bytes.prefix(filled)) }
            filled += count
        }
        // The file grows while it is read.
        throw .corrupt
    }

    private borrowing func sync() throws(OutboxError) {
        #if canImport(Darwin)
        // On these platforms `fsync` does not empty the drive's cache.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw .failedSync }
    }
}

/// The suffix of temporary files, which are renamed when they are complete.
enum TemporaryName {
    private static let mark = ".new-"

    /// Returns a new suffix that no other process uses.
    static func make() -> String { mark + String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// Whether a name belongs to a temporary file.
    static func matches(_ name: String) -> Bool { name.contains(mark) }
}

/// An open directory of this user.
///
/// After the check, it cannot be exchanged for another directory. A directory without read permission is not opened:
/// its files can be used by name, but the directory is not synced.
struct OwnDirectory: ~Copyable {
    private let descriptor: Int32?

    /// Opens a directory without following a link.
    init(_ path: String) throws(OutboxError) {
        do throws(OutboxError) {
            descriptor = try OwnFile.descriptor(of: path, flags: O_RDONLY | O_DIRECTORY, kind: S_IFDIR)
        } catch .unavailable(code: EACCES) where FileStatus(at: path)?.isOpenToGroup == false {
            descriptor = nil
        }
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Makes the names in the directory survive a power loss, if the file system supports it.
    borrowing func sync() throws(OutboxError) {
        guard let descriptor, fsync(descriptor) != 0, errno != EINVAL else { return }
        throw .failedSync
    }
}
