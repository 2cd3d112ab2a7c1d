package import EventDelivery
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
    /// contain it.
    private init(copying other: URL) throws {
        url = other.deletingLastPathComponent().appending(path: "queue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let names = try FileManager.default.contentsOfDirectory(atPath: other.path)
        for name in names.filter({ $0.hasSuffix("-wal") }) + names.filter({ !$0.hasSuffix("-wal") }) {
            try FileManager.default.copyItem(at: other.appending(path: name), to: url.appending(path: name))
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of all files.
    package var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    /// Returns the contents of all files as text.
    ///
    /// - Returns: The contents, one after another.
    /// - Throws: An error if the directory cannot be read.
    package func contents() throws -> String { try TemporaryQueue.contents(of: url) }

    /// Returns the contents of all files in a directory as text.
    ///
    /// - Parameter directory: The directory, whose subdirectories are read too.
    /// - Returns: The contents, one after another.
    /// - Throws: An error if the directory cannot be read.
    package static func contents(of directory: URL) throws -> String {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).reduce("") { text, name in
            let data = FileManager.default.contents(atPath: directory.appending(path: name).path) ?? Data()
            return text + String(decoding: data, as: UTF8.self)
        }
    }

    /// The paths of the queue files.
    package var queues: [String] { TemporaryQueue.queues(in: url) }

    /// Returns the paths of the queue files in a directory.
    ///
    /// - Parameter directory: The directory.
    /// - Returns: The paths, in order. Empty if the directory does not exist.
    package static func queues(in directory: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
            .filter { $0.hasPrefix("queue-") && $0.hasSuffix(".db") }.sorted()
            .map { directory.appending(path: $0).path }
    }

    /// Creates an outbox in the directory.
    ///
    /// - Parameter name: The identifier in the name of the file.
    /// - Returns: The open outbox.
    /// - Throws: An error if the file cannot be created.
    package func outbox(_ name: String = "1") throws -> SQLiteOutbox {
        try SQLiteOutbox(path: OutboxDirectory(url).makeQueue(id: name))
    }

    /// Returns a copy of the directory in its current state, including files that an engine has open.
    ///
    /// - Returns: The copy.
    /// - Throws: An error if a file cannot be copied.
    package func copy() throws -> TemporaryQueue {
        try TemporaryQueue(copying: url)
    }
}
