import EventBuffer

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

/// What stands at a path or behind a descriptor, as far as it decides whether this library may use it.
struct FileStatus {
    private let status: stat

    /// Looks at a path without following a link; `nil` if there is nothing or the look fails.
    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.status = status
    }

    /// Whether there is nothing at a path; `false` if the look fails for another reason, such as a device error.
    static func isMissing(at path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && errno == ENOENT
    }

    /// Whether there is nothing at a path, and no directory in which anything could be.
    static func isSurelyMissing(at path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    /// Looks at what is open.
    init(of descriptor: Int32) throws(OutboxError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        self.status = status
    }

    /// The bits of the mode that say what kind of file it is.
    var kind: mode_t { status.st_mode & S_IFMT }

    /// The size in bytes.
    var size: Int { Int(clamping: status.st_size) }

    /// The inode's number.
    var inode: UInt64 { UInt64(status.st_ino) }

    /// Whether both are one file of one device.
    func isSameFile(as other: FileStatus) -> Bool {
        status.st_ino == other.status.st_ino && status.st_dev == other.status.st_dev
    }

    /// When the contents were changed last, by the clock of the file system.
    var modified: (seconds: Int64, nanoseconds: Int64) {
        #if canImport(Darwin)
        (Int64(status.st_mtimespec.tv_sec), Int64(status.st_mtimespec.tv_nsec))
        #else
        (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        #endif
    }

    /// What makes a regular file another user's work; `nil` for one of this user's own.
    ///
    /// A second name of a file may be another user's way to have it read or overwritten.
    var foreignTraitOfFile: OutboxError.ForeignTrait? {
        guard kind == S_IFREG else { return .kind }
        guard status.st_uid == geteuid() else { return .owner }
        guard status.st_nlink == 1 else { return .links }
        return status.st_mode & (S_IWGRP | S_IWOTH) == 0 ? nil : .permissions
    }

    /// What makes a directory one that another user may write; `nil` for one of this user's own.
    ///
    /// A group that has the owner's number is the owner's private one, in which nobody else is.
    var foreignTraitOfDirectory: OutboxError.ForeignTrait? {
        guard kind == S_IFDIR else { return .kind }
        guard status.st_uid == geteuid() else { return .owner }
        guard status.st_mode & S_IWOTH == 0 else { return .permissions }
        return status.st_mode & S_IWGRP == 0 || status.st_gid == status.st_uid ? nil : .permissions
    }
}

/// Lets the outbox be used while the device is locked, and keeps it out of backups, where the platform has either.
package enum FileProtection {
    /// Protects a directory and what is made in it from now on.
    ///
    /// A failure changes nothing that correctness needs.
    package static func apply(to directory: URL) {
        #if canImport(Darwin)
        var directory = directory
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? directory.setResourceValues(values)
        #if !os(macOS)
        // A flush in the background must be able to read after the first unlock, not only while unlocked.
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
            ofItemAtPath: directory.path
        )
        #endif
        #endif
    }
}

/// The cache of the drive, in which Apple platforms leave what a sync has written.
enum DriveCache {
    /// Empties the cache of the drive that holds a file, after the file was synced; elsewhere a sync has done it.
    ///
    /// A drive that cannot do it, such as one of another kind, is left as it is: the sync itself has succeeded. The
    /// database's own path may not be passed, because closing a second descriptor of it gives up SQLite's locks.
    static func flush(by path: String) {
        #if canImport(Darwin)
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_FULLFSYNC)
        close(descriptor)
        #endif
    }
}
