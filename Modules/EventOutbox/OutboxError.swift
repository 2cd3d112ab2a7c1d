import CSQLite

/// What can go wrong in an outbox; no case ever makes the engine delete what is stored.
public enum OutboxError: Error, Hashable, Sendable {
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
    /// The file has been unlinked or replaced while it was open.
    case vanished
    /// Any other failure of the storage, with its own code.
    case failed(code: Int32)
}

extension OutboxError {
    /// Whether a sync failed: nobody knows then what has reached the disk, and a second sync would not tell.
    package var isFailedSync: Bool {
        guard case .failed(let code) = self else { return false }
        return [SQLITE_IOERR | (4 << 8), SQLITE_IOERR | (5 << 8)].contains(code)
    }
}
