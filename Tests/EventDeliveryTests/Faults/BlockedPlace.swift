import Foundation

/// A place where no directory can be made, for root neither: a file stands in its way.
final class BlockedPlace: Sendable {
    private let parent: URL

    init() throws {
        parent = FileManager.default.temporaryDirectory.appending(path: "blocked-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data().write(to: directory)
    }

    deinit {
        try? FileManager.default.removeItem(at: parent)
    }

    /// The directory that cannot be made.
    var directory: URL { parent.appending(path: "queue") }

    /// A directory beside it that can.
    var aside: URL { parent.appending(path: "aside") }

    /// Lets the directory be made.
    func clear() throws {
        try FileManager.default.removeItem(at: directory)
    }

    /// Puts the directory beside it into its place, in one step: an engine could make one of its own in between.
    func putAsideInPlace() throws {
        #if canImport(Darwin)
        let isDone = renamex_np(aside.path, directory.path, UInt32(RENAME_SWAP)) == 0
        #else
        let isDone = renameat2(AT_FDCWD, aside.path, AT_FDCWD, directory.path, UInt32(RENAME_EXCHANGE)) == 0
        #endif
        guard isDone else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        try FileManager.default.removeItem(at: aside)
    }
}
