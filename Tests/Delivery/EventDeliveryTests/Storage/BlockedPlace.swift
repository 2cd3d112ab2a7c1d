import Foundation

/// A place where no directory can be created, not even by root, because its path contains a link to a file.
///
/// The link is replaced in one step, so an engine finds the path either blocked or free.
final class BlockedPlace: Sendable {
    private let parent: URL
    private var way: URL { parent.appending(path: "way") }

    init() throws {
        parent = FileManager.default.temporaryDirectory.appending(path: "blocked-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data().write(to: parent.appending(path: "file"))
        try turn(to: "file")
    }

    deinit {
        try? FileManager.default.removeItem(at: parent)
    }

    /// The directory, which cannot be created.
    var directory: URL { way.appending(path: "queue") }

    /// A directory in another place, which can be created.
    var aside: URL { parent.appending(path: "aside/queue") }

    /// Allows the directory to be created.
    func clear() throws {
        try FileManager.default.createDirectory(
            at: parent.appending(path: "free"),
            withIntermediateDirectories: true
        )
        try turn(to: "free")
    }

    /// Replaces the blocked directory by the one in the other place.
    func putAsideInPlace() throws { try turn(to: "aside") }

    private func turn(to name: String) throws {
        let link = parent.appending(path: "next")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: name)
        guard unsafe rename(link.path, way.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
