package import EventDelivery
package import Foundation

/// A directory for outbox files that goes away with the test.
package final class TemporaryQueue: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "queue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// A copy of a directory, as a crash would have left it.
    ///
    /// A log is copied before its file, so that what is moved from the one to the other meanwhile is in both.
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

    /// The names of everything in it.
    package var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    /// The bytes of all files in it, read as text.
    package func contents() throws -> String { try TemporaryQueue.contents(of: url) }

    /// The bytes of all files in a directory, read as text.
    package static func contents(of directory: URL) throws -> String {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).reduce("") { text, name in
            let data = FileManager.default.contents(atPath: directory.appending(path: name).path) ?? Data()
            return text + String(decoding: data, as: UTF8.self)
        }
    }

    /// The paths of its queue files.
    package var queues: [String] { TemporaryQueue.queues(in: url) }

    /// The paths of the queue files in a directory.
    package static func queues(in directory: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
            .filter { $0.hasPrefix("queue-") && $0.hasSuffix(".db") }.sorted()
            .map { directory.appending(path: $0).path }
    }

    /// A new outbox in it.
    package func outbox(_ name: String = "1") throws -> SQLiteOutbox {
        try SQLiteOutbox(path: OutboxDirectory(url).makeQueue(id: name))
    }

    /// A copy of it as it is now, also of files that an engine has open.
    package func copy() throws -> TemporaryQueue {
        try TemporaryQueue(copying: url)
    }
}
