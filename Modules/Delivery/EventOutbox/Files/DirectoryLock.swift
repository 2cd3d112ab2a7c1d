import CLibrary
import EventTracking
import Locks

/// A lock on a directory, which one process holds while all others wait.
///
/// The file `lock` is never deleted, because two processes could then lock two files of that name. A waiting process
/// polls the lock. A forked child does not hold it.
package final class DirectoryLock: Sendable {
    private let path: String
    private let process = getpid()
    private let descriptor: Mutex<Int32?>

    /// Locks a directory.
    ///
    /// - Parameter path: The path of the lock file.
    /// - Throws: `OutboxError.directoryInUse` if another process, or another engine of this process, holds the lock.
    ///   `notLockable` if the file system does not support locks, and `foreign` if the file is not a regular file of
    ///   this user.
    init(at path: String) throws(OutboxError) {
        let descriptor = try OwnFile.descriptor(of: path, flags: O_RDWR | O_CREAT, kind: S_IFREG)
        do throws(OutboxError) {
            // Before the lock of the whole file, with which it would conflict on NFS.
            try DirectoryLock.checkLocksOfParts(descriptor)
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                switch errno {
                case EINTR: continue
                case EWOULDBLOCK: throw .directoryInUse
                case let code: throw .notLockable(code: code)
                }
            }
            guard DirectoryLock.isSame(path, descriptor) else { throw .directoryInUse }
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = Mutex(descriptor)
    }

    /// Checks that the file system has locks of parts of files, which SQLite needs.
    ///
    /// SQLite reports some file systems without them as a file in use, for which a process would wait for ever.
    private static func checkLocksOfParts(_ descriptor: Int32) throws(OutboxError) {
        var part = flock()
        (part.l_type, part.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        while fcntl(descriptor, F_SETLK, &part) != 0 {
            switch errno {
            case EINTR: continue
            // Another process checks at the same time, or has locked the whole file on NFS.
            case EACCES, EAGAIN: throw .directoryInUse
            case let code: throw .notLockable(code: code)
            }
        }
        part.l_type = Int16(F_UNLCK)
        _ = fcntl(descriptor, F_SETLK, &part)
    }

    deinit {
        release()
    }

    /// Whether this process still holds the lock, and the file is still the one at its path.
    package var isHeld: Bool {
        guard getpid() == process else { return false }
        return descriptor.withLock { descriptor in descriptor.map { DirectoryLock.isSame(path, $0) } ?? false }
    }

    /// Releases the lock.
    ///
    /// A second call has no effect.
    package func release() {
        descriptor.withLock { descriptor in
            guard let held = descriptor else { return }
            // A child process forked in between, for example to start a program, still has the descriptor.
            if getpid() == process { flock(held, LOCK_UN) }
            close(held)
            descriptor = nil
        }
    }

    /// Whether this process has a lock file open.
    ///
    /// Locks do not tell their owners, so this compares the file with each descriptor of the process.
    ///
    /// - Parameter path: The path of the lock file.
    static func isOpenInThisProcess(_ path: String) -> Bool {
        guard let named = FileStatus(at: path) else { return false }
        let limit = min(sysconf(Int32(_SC_OPEN_MAX)), maximumDescriptors)
        return (0..<Int32(max(0, limit))).contains { descriptor in
            (try? FileStatus(of: descriptor))?.isSameFile(as: named) ?? false
        }
    }

    /// The maximum number of compared descriptors, which takes about a millisecond.
    private static let maximumDescriptors = 16_384

    private static func isSame(_ path: String, _ descriptor: Int32) -> Bool {
        guard let named = FileStatus(at: path), let opened = try? FileStatus(of: descriptor) else { return false }
        return named.isSameFile(as: opened)
    }
}
