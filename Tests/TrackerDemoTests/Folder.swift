import Foundation

/// A temporary folder of one test.
struct Folder: Sendable {
    private let url: URL

    /// Makes the folder.
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("TrackerDemoTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// A file in the folder.
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { file(name).path }

    /// Writes a text to a file, and answers the file's path.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: file(name))
        return file(name).path
    }

    /// Makes a pipe with a name, held open for writing so that its reader sees no end before it is closed.
    func makePipe(_ name: String) throws -> FileHandle {
        guard unsafe mkfifo(path(name), 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return try FileHandle(forUpdating: file(name))
    }

    /// Removes the folder with all that is in it.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
