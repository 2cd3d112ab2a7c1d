import Foundation

@testable import EventDelivery

/// A directory for outbox files that goes away with the test.
final class TemporaryQueue: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "queue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of everything in it, without what the outbox keeps beside its file.
    var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    /// The paths of its queue files.
    var queues: [String] {
        files.filter { $0.hasPrefix("queue-") && $0.hasSuffix(".db") }.map { url.appending(path: $0).path }
    }

    /// A new outbox in it.
    func outbox(_ name: String = "1") throws -> SQLiteOutbox {
        try SQLiteOutbox(path: OutboxDirectory(url).makeQueue(id: name))
    }
}
