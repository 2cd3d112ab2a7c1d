import CSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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
    /// Any other failure of the storage, with its own code.
    case failed(code: Int32)
}

extension OutboxError {
    /// A sync that failed.
    static let failedSync = OutboxError.failed(code: SQLITE_IOERR | (4 << 8))

    /// Whether a sync failed: nobody knows then what has reached the disk, and a second sync would not tell.
    package var isFailedSync: Bool {
        guard case .failed(let code) = self else { return false }
        return [SQLITE_IOERR | (4 << 8), SQLITE_IOERR | (5 << 8)].contains(code)
    }

    /// The error for a code of the operating system.
    static func system(_ code: Int32) -> OutboxError {
        code == ENOSPC || code == EDQUOT ? .full : .unavailable(code: code)
    }
}
