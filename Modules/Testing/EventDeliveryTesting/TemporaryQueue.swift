import EventDelivery
package import EventOutbox
package import Foundation

/// A directory for outbox files, which is deleted together with this object.
package final class TemporaryQueue: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "queue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Creates a copy of a directory, as a crash would leave it.
    ///
    /// Each log is copied before its database. If data moves from the log to the database in the meantime, both copies
    /// contain it. The disk reserve is left out, since an engine creates it again and it contains only zeros.
    package convenience init(copying other: URL) throws {
        try self.init()
        let names = try FileManager.default.contentsOfDirectory(atPath: other.path)
        for name in names.filter({ $0.hasSuffix("-wal") }) + names.filter({ !$0.hasSuffix("-wal") })
        where !name.hasSuffix(".reserve") {
            let (file, copy) = (other.appending(path: name), url.appending(path: name))
            guard FileStatus.isRegular(at: file.path) else {
                try FileManager.default.copyItem(at: file, to: copy)
                continue
            }
            // On Linux, `copyItem` never returns if the engine shortens the file meanwhile.
            try Data(contentsOf: file).write(to: copy)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of all files.
    package var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    /// Returns the contents of all files.
    ///
    /// - Returns: The contents, one after another.
    /// - Throws: An error if the directory cannot be read.
    package func contents() throws -> Data { try TemporaryQueue.contents(of: url) }

    /// Returns the contents of all files in a directory.
    ///
    /// - Parameter directory: The directory, whose subdirectories are read too.
    /// - Returns: The contents, one after another.
    /// - Throws: An error if the directory cannot be read.
    package static func contents(of directory: URL) throws -> Data {
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        return names.reduce(into: Data()) { $0.append(contents(of: directory, $1)) }
    }

    private static func contents(of directory: URL, _ name: String) -> Data {
        FileManager.default.contents(atPath: directory.appending(path: name).path) ?? Data()
    }

    /// Returns the names of the files in a directory that contain a text.
    ///
    /// - Parameters:
    ///   - directory: The directory, whose subdirectories are searched too.
    ///   - text: The text.
    /// - Returns: The names, as paths from the directory.
    /// - Throws: An error if the directory cannot be read.
    package static func files(in directory: URL, containing text: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter { name in
            contents(of: directory, name).contains(text)
        }
    }

    /// The path of the queue file.
    package var path: String { TemporaryQueue.path(in: url) }

    /// The path of the queue file in a directory.
    package static func path(in directory: URL) -> String {
        directory.appending(path: OutboxDirectory.queueName).path
    }

    /// Whether the directory has a queue file.
    package var hasQueue: Bool { FileStatus.isRegular(at: path) }

    /// Creates an empty queue file.
    ///
    /// - Returns: The path of the file.
    /// - Throws: An error if the file cannot be created.
    package func makeFile() throws -> String {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw POSIXError(.EIO)
        }
        return path
    }

    /// Creates an outbox in the directory.
    ///
    /// - Returns: The open outbox.
    /// - Throws: An error if the file cannot be created.
    package func outbox() throws -> SQLiteOutbox { try OutboxDirectory(url).makeOutbox() }

    /// Returns a copy of the directory in its current state, including the open files of an engine.
    ///
    /// - Returns: The copy.
    /// - Throws: An error if a file cannot be copied.
    package func copy() throws -> TemporaryQueue {
        try TemporaryQueue(copying: url)
    }
}

extension Data {
    /// Returns whether the bytes contain those of a text.
    ///
    /// Most bytes of a queue's files are zeros, so a search as text takes much longer.
    ///
    /// - Parameter text: The text, which is not empty.
    package func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
