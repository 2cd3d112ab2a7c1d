import Foundation

/// A place where no directory can be made, for root neither: the way to it is a link to a file.
///
/// The link is turned in one step, so that an engine finds the way either blocked or free.
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

    /// The directory that cannot be made.
    var directory: URL { way.appending(path: "queue") }

    /// A directory elsewhere that can.
    var aside: URL { parent.appending(path: "aside/queue") }

    /// Lets the directory be made.
    func clear() throws {
        try FileManager.default.createDirectory(
            at: parent.appending(path: "free"),
            withIntermediateDirectories: true
        )
        try turn(to: "free")
    }

    /// Puts the directory that is elsewhere into its place.
    func putAsideInPlace() throws { try turn(to: "aside") }

    private func turn(to name: String) throws {
        let link = parent.appending(path: "next")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: name)
        guard unsafe rename(link.path, way.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
