/// What can go wrong in an outbox; no case ever makes the engine delete what is stored.
public enum OutboxError: Error, Hashable, Sendable {
    /// What makes a file or a directory somebody else's work.
    public enum ForeignTrait: Sendable, Hashable {
        /// It is a link, a pipe, a device or something else that the library does not make.
        case kind
        /// It belongs to another user.
        case owner
        /// Others may write it.
        case permissions
        /// The file has a second name.
        case links
    }

    /// The disk, or the budget of the file, is full.
    case full
    /// Another connection owns the file.
    case busy
    /// The file is damaged or is no outbox.
    case corrupt
    /// A newer version of this library wrote the file.
    case newerVersion(Int)
    /// The file or its directory cannot be opened or written.
    case unavailable(code: Int32)
    /// The file or its directory is not this user's own: nothing is read from it and nothing is written into it.
    case foreign(ForeignTrait)
    /// The file has been unlinked or replaced while it was open.
    case vanished
    /// The engine is not open, so that what an earlier run has left cannot be reached.
    case notOpen
    /// The app has suspended the storage, so that nothing touches its files.
    case suspended
    /// A decision about consent holds in this process, but is not stored: say it again at the next start.
    ///
    /// The other error tells why it could not be stored.
    indirect case notStored(OutboxError)
    /// Any other failure of the storage, with its own code.
    case failed(code: Int32)
}
