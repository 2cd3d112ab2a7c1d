import EventDeliveryAPI

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open regular file of this user.
///
/// It rejects links, pipes and files of other users.
struct OwnFile: ~Copyable {
    private let descriptor: Int32

    /// Opens a file with the flags of `open(2)`.
    ///
    /// A new file is accessible for its owner only.
    ///
    /// - Throws: `OutboxError.foreign` if it is not a regular file of this user, or the error of the file system.
    init(_ path: String, flags: Int32) throws(OutboxError) {
        // Opening a device or a pipe can have side effects, so the status is checked first.
        if let trait = FileStatus(at: path)?.foreignTraitOfFile { throw .foreign(trait) }
        let descriptor = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        do throws(OutboxError) {
            if let trait = try FileStatus(of: descriptor).foreignTraitOfFile { throw .foreign(trait) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
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
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        let code = errno
        guard descriptor >= 0 else {
            guard code == EACCES, let status = FileStatus(at: path) else {
                throw [ELOOP, ENOTDIR].contains(code) ? .foreign(.kind) : .system(code)
            }
            if let trait = status.foreignTraitOfDirectory { throw .foreign(trait) }
            self.descriptor = nil
            return
        }
        do throws(OutboxError) {
            if let trait = try FileStatus(of: descriptor).foreignTraitOfDirectory { throw .foreign(trait) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
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
