import Foundation

/// Where the outbox lives.
struct Queue: Sendable {
    /// The outbox's directory.
    let directory: URL
    /// Whether the directory is the demo's own, which goes with it.
    let isTemporary: Bool

    /// The directory's path.
    var path: String { directory.path }

    /// Makes the directory that the user has named, or a temporary one.
    init(_ path: String?) throws(DemoError) {
        isTemporary = path == nil
        directory =
            path.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("tracker-demo-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw DemoError("the queue cannot be made at \(directory.path)", code: .cannotCreate)
        }
        guard FileManager.default.isWritableFile(atPath: directory.path) else {
            throw DemoError("the queue at \(directory.path) cannot be written", code: .cannotCreate)
        }
    }

    /// Removes a temporary queue, unless it still holds events.
    ///
    /// Answers whether the queue is left.
    func tidy(holdsEvents: Bool) -> Bool {
        guard isTemporary, !holdsEvents else { return true }
        try? FileManager.default.removeItem(at: directory)
        return false
    }
}
