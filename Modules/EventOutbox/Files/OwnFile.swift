import EventBuffer

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

/// A regular file of this user's own, open: no link is followed, no pipe waited for, nobody else's file touched.
struct OwnFile: ~Copyable {
    private let descriptor: Int32

    /// Opens a file, with the flags of `open(2)`; one that is made is for its owner only.
    init(_ path: String, flags: Int32) throws(OutboxError) {
        // Opening a device or a pipe can have an effect of its own, so what stands there is looked at first.
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

    /// Reads a small file whole; `nil` where there is none, and `corrupt` where it is larger than it can be.
    static func contents(of path: String, limit: Int) throws(OutboxError) -> [UInt8]? {
        do throws(OutboxError) {
            return try OwnFile(path, flags: O_RDONLY).read(limit: limit)
        } catch .unavailable(code: ENOENT) {
            return nil
        }
    }

    /// Puts a file with other contents in the place of the one at a path, or of none, in one step.
    ///
    /// When it returns, the new contents survive a power loss; when it throws, the old file is still there, unless
    /// only the last sync has failed. What stood there and was not this user's own is replaced, not written into.
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

    /// Writes other contents over those of an existing file.
    ///
    /// For a directory that takes no new file. A process that is killed meanwhile leaves a mixture of both contents, so
    /// they need a checksum.
    static func overwrite(_ path: String, with bytes: [UInt8]) throws(OutboxError) {
        let file = try OwnFile(path, flags: O_WRONLY)
        try file.write(bytes)
        guard ftruncate(file.descriptor, off_t(bytes.count)) == 0 else { throw .system(errno) }
        try file.sync()
    }

    /// Writes bytes over those of the file from an offset on.
    borrowing func write(_ bytes: [UInt8], at offset: Int = 0) throws(OutboxError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor,
                    buffer.baseAddress.map { $0 + written },
                    bytes.count - written,
                    off_t(offset + written)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw count == 0 ? .full : .system(errno) }
            written += count
        }
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
        // It grows while it is read.
        throw .corrupt
    }

    private borrowing func sync() throws(OutboxError) {
        #if canImport(Darwin)
        // There fsync does not empty the cache of the drive.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw .failedSync }
    }
}

/// What the names of files end in that are being written and will be renamed.
enum TemporaryName {
    private static let mark = ".new-"

    /// A new ending, which no other process uses.
    static func make() -> String { mark + String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// Whether a name is that of a file that was being written.
    static func matches(_ name: String) -> Bool { name.contains(mark) }
}

/// A directory of this user's own, open: checked once, it cannot be exchanged for another one any more.
///
/// A directory that may not be read is not open. Its files can be used by name, but it is not synced.
struct OwnDirectory: ~Copyable {
    private let descriptor: Int32?

    /// Opens a directory; a link in its place is not followed.
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

    /// Makes the names in the directory survive a power loss, where its file system can.
    borrowing func sync() throws(OutboxError) {
        guard let descriptor, fsync(descriptor) != 0, errno != EINVAL else { return }
        throw .failedSync
    }
}
