import CLibrary
import EventTracking

/// A reserve of disk space for decisions.
///
/// If the disk is full, even a deletion needs space for its log.
package struct DiskReserve: Sendable {
    /// The size of the reserve.
    ///
    /// A denial needs its transaction and a deletion step of 1 MB in the log, then a checkpoint, which writes the log's
    /// contents into the file: `SQLiteOutbox.checkpointInterval` and one commit.
    package static let bytes = 5_242_880
    private let path: String

    package init(queue: String) {
        path = queue + ".reserve"
    }

    /// Creates the reserve if it does not exist and the disk has space for it.
    ///
    /// - Returns: `false` if the disk has no space for it. Any other failure is ignored.
    @discardableResult
    package func fill() -> Bool {
        if let status = FileStatus(at: path) {
            // An unfinished file of a killed process, or a file of another user, is not a reserve.
            guard status.foreignTrait(S_IFREG) != nil || status.size < DiskReserve.bytes else { return true }
            unlink(path)
        }
        do throws(OutboxError) {
            try OwnFile(path, flags: O_CREAT | O_EXCL | O_WRONLY).allocate(DiskReserve.bytes)
            return true
        } catch {
            unlink(path)
            return error != .full
        }
    }

    /// Frees the reserve.
    ///
    /// Returns whether there was one.
    package func release() -> Bool {
        unlink(path) == 0
    }
}
