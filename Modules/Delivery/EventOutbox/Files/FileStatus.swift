import CLibrary
import EventTracking

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The status of a file, which decides whether this library may use it.
package struct FileStatus {
    private let status: stat

    /// Reads the status of a path without following a link.
    ///
    /// Returns `nil` if there is no file or the call fails.
    init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.status = status
    }

    /// Returns whether a path has no file.
    ///
    /// It is `false` if the call fails for another reason, such as a device error.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - codes: The values of `errno` for a missing file.
    package static func isMissing(at path: String, by codes: [Int32] = [ENOENT]) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && codes.contains(errno)
    }

    /// Returns the inode number of a regular file, or `nil` if there is none.
    static func inode(at path: String) -> UInt64? {
        FileStatus(at: path).flatMap { $0.kind == S_IFREG ? $0.inode : nil }
    }

    /// Whether a path has a regular file.
    package static func isRegular(at path: String) -> Bool { FileStatus(at: path)?.kind == S_IFREG }

    /// Returns the size of a file in bytes, or 0 if there is none.
    package static func size(at path: String) -> Int { FileStatus(at: path)?.size ?? 0 }

    /// Reads the status of an open file.
    init(of descriptor: Int32) throws(OutboxError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        self.status = status
    }

    /// The file type bits of the mode.
    var kind: mode_t { status.st_mode & S_IFMT }

    /// The size in bytes.
    var size: Int { Int(clamping: status.st_size) }

    /// The inode number.
    var inode: UInt64 { UInt64(status.st_ino) }

    /// Whether both are the same file on the same device.
    func isSameFile(as other: FileStatus) -> Bool {
        status.st_ino == other.status.st_ino && status.st_dev == other.status.st_dev
    }

    /// The time of the last modification, by the clock of the file system.
    var modified: (seconds: Int64, nanoseconds: Int64) {
        #if canImport(Darwin)
        (Int64(status.st_mtimespec.tv_sec), Int64(status.st_mtimespec.tv_nsec))
        #else
        (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        #endif
    }

    /// Returns the foreign trait of a file or directory, or `nil` if it is accepted as one of this user.
    ///
    /// A directory of root is accepted, such as the mount point of a volume: root can change all files anyway. If its
    /// group may write to it, this process must be a member, because otherwise it could not create files in it. A file
    /// with a second hard link is not accepted, because another user may have created the link to have the file read or
    /// overwritten. A file to which its group may write is accepted, because ``OwnFile`` removes that permission.
    ///
    /// - Parameters:
    ///   - kind: The expected file type bits, `S_IFREG` or `S_IFDIR`.
    ///   - user: The user of the library's process.
    func foreignTrait(_ kind: mode_t, for user: uid_t = geteuid()) -> OutboxError.ForeignTrait? {
        guard self.kind == kind else { return .kind }
        guard status.st_uid == user || kind == S_IFDIR && status.st_uid == 0 else { return .owner }
        guard kind == S_IFDIR || status.st_nlink == 1 else { return .links }
        return status.st_mode & S_IWOTH == 0 ? nil : .permissions
    }

    /// Whether it belongs to this user, and only its owner and its group can write to it.
    var isOpenToGroup: Bool { status.st_uid == geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) == S_IWGRP }
}

/// Platform settings that make the outbox usable while the device is locked, and exclude it from backups.
package enum FileProtection {
    /// Applies the settings to a directory and to files created in it later.
    ///
    /// Correctness does not depend on success.
    package static func apply(to directory: URL) {
        #if canImport(Darwin)
        var directory = directory
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? directory.setResourceValues(values)
        #if !os(macOS)
        // A flush in the background must be able to read after the first unlock, not only while the device is unlocked.
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
            ofItemAtPath: directory.path
        )
        #endif
        #endif
    }
}

/// The drive's cache, which a sync does not empty on Apple platforms.
enum DriveCache {
    /// Empties the drive's cache after a file was synced.
    ///
    /// Other platforms need no such call.
    ///
    /// If the drive does not support this, the error is ignored, because the sync itself has succeeded. Do not pass the
    /// database's path, because closing a second descriptor of it releases SQLite's locks.
    static func flush(by path: String) {
        #if canImport(Darwin)
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_FULLFSYNC)
        close(descriptor)
        #endif
    }
}
