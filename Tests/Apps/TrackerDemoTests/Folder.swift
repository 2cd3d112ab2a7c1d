import Foundation

/// A temporary folder for one test.
struct Folder: Sendable {
    private let url: URL

    /// Creates the folder.
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("TrackerDemoTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Returns the URL of a file in the folder.
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Returns the path of a file in the folder.
    func path(_ name: String) -> String { file(name).path }

    /// Writes a text to a file.
    ///
    /// - Returns: The file's path.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: file(name))
        return file(name).path
    }

    /// Creates a named pipe that is open for writing, so its reader sees no end before it is closed.
    func makePipe(_ name: String) throws -> FileHandle {
        guard unsafe mkfifo(path(name), 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return try FileHandle(forUpdating: file(name))
    }

    /// Removes the folder with its contents.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
