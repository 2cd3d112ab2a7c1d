/// An error of the storage.
///
/// No case makes the engine delete stored events.
public enum OutboxError: Error, Hashable, Sendable {
    /// The trait that shows that a file or directory does not belong to this library and user.
    public enum ForeignTrait: Sendable, Hashable {
        /// It is a link, a pipe, a device or another kind that the library does not create.
        case kind
        /// It belongs to another user.
        case owner
        /// Other users can write to it.
        case permissions
        /// The file has a second hard link.
        case links
    }

    /// The disk, or the budget of the file, is full.
    case full
    /// Another connection owns the file.
    case busy
    /// Another process uses the directory.
    ///
    /// This process waits until it is free, and sends nothing until then.
    case directoryInUse
    /// The file system of the directory has no locks, so events are kept in memory only.
    case notLockable(code: Int32)
    /// The file is damaged, or it is no outbox.
    case corrupt
    /// A newer version of this library wrote the file.
    case newerVersion(Int)
    /// The file or its directory cannot be opened or written.
    case unavailable(code: Int32)
    /// The file or its directory does not belong to this user and library.
    ///
    /// Nothing is read from it or written to it.
    case foreign(ForeignTrait)
    /// The file was unlinked or replaced while it was open.
    case vanished
    /// The engine is not open, and cannot access the stored events of earlier runs.
    case notOpen
    /// The app has suspended the storage, and the engine accesses no file.
    case suspended
    /// A consent decision is in effect in this process, but it is not stored.
    ///
    /// Set it again at the next start. The associated error is the reason.
    indirect case notStored(OutboxError)
    /// Another failure of the storage, with its code.
    case failed(code: Int32)
}
