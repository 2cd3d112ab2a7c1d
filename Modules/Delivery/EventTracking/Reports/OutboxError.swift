/// An error of the storage.
///
/// No case makes the engine delete stored events. With ``notLockable(code:)``, ``newerVersion(_:)``,
/// ``olderVersion(_:)`` and ``foreign(_:)``, it keeps events in memory only until the process ends, and leaves the
/// directory unchanged.
public enum OutboxError: Error, Equatable, Sendable {
    /// A sign that a file or directory does not belong to this library and user.
    public enum ForeignTrait: Sendable, Hashable {
        /// It is a link, a pipe, a device or another kind never created by the library.
        case kind
        /// It belongs to another user.
        case owner
        /// Any user can write to it, or its group can and the permissions cannot be changed.
        case permissions
        /// The file has a second hard link.
        case links
    }

    /// The disk is full, even after the disk reserve was freed.
    case full
    /// Another connection has the file open.
    case busy
    /// Another process, or another engine of this process, uses the directory.
    ///
    /// This engine waits until it is free. Until then, events stay in its buffer, receipts wait, and nothing is sent.
    case directoryInUse
    /// The file system of the directory cannot lock a file or a part of it, such as some network file systems.
    case notLockable(code: Int32)
    /// The file is damaged, or it is no outbox.
    case corrupt
    /// A newer version of this library wrote the file.
    ///
    /// The associated value is the version of its layout.
    case newerVersion(Int)
    /// A development version of the library wrote the outbox.
    ///
    /// It is unchanged. Delete the directory.
    case olderVersion(Int)
    /// The file or its directory cannot be opened or written now.
    ///
    /// The associated value is the `errno`. The engine tries again. Until then, it keeps events in memory, and sends
    /// them only if the directory certainly contains no events and decisions.
    case unavailable(code: Int32)
    /// The file or its directory does not belong to this user and library alone.
    ///
    /// Nothing is read from it or written to it. Delete the file, or correct its owner, mode or links.
    case foreign(ForeignTrait)
    /// The file was unlinked or replaced while it was open.
    case vanished
    /// The engine is not open, and cannot access the stored events of earlier runs.
    case notOpen
    /// The app has suspended the storage, and the engine accesses no file.
    case suspended
    /// A name or a number exceeds a limit of the engine: the page about limits lists all of them.
    case beyondLimit
    /// Another failure of the storage, with its code.
    case failed(code: Int32)
}
