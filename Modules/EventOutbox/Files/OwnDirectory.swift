#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A directory of this user's own, open: checked once, it cannot be exchanged for another one any more.
struct OwnDirectory: ~Copyable {
    /// How often, and how long in between, another process's lock is waited for: one second in all.
    private static let patience = (attempts: 200, microseconds: UInt32(5_000))
    private let descriptor: Int32

    /// Opens a directory; a link in its place is not followed.
    init(_ path: String) throws(OutboxError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            throw [ELOOP, ENOTDIR].contains(code) ? .foreign(.kind) : .system(code)
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
        close(descriptor)
    }

    /// Runs a block while no other process of this library changes the small files of the directory.
    ///
    /// A process that holds the lock for a second is suspended or stuck; it is not waited for any longer.
    borrowing func withLock<Result>(
        _ body: () throws(OutboxError) -> Result
    ) throws(OutboxError) -> Result {
        for _ in 0..<OwnDirectory.patience.attempts {
            guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(OwnDirectory.patience.microseconds)
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Makes the names in the directory survive a power loss, where its file system can.
    borrowing func sync() throws(OutboxError) {
        guard fsync(descriptor) != 0, errno != EINVAL else { return }
        throw .failedSync
    }
}
