import Foundation

/// The directory of the outbox.
struct Queue: Sendable {
    /// The name of the file that marks a directory as the demo's.
    private static let mark = "made-by-tracker-demo"

    /// The outbox's directory.
    let directory: URL
    /// Whether the directory was created for this run and is deleted with it.
    let isTemporary: Bool

    /// The directory's path.
    var path: String { directory.path }

    /// Creates the given directory, or a temporary one.
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
        try claim()
    }

    /// Marks the directory as the demo's.
    ///
    /// Refuses the queue of an app: the demo's receivers would acknowledge its events, and they would be lost.
    private func claim() throws(DemoError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        guard !names.contains(Queue.mark) else { return }
        guard !names.contains(where: { $0.hasPrefix("queue") }) else {
            throw DemoError(
                "the queue at \(directory.path) is not the demo's: Scripts/queue looks into it",
                code: .cannotCreate
            )
        }
        guard FileManager.default.createFile(atPath: directory.appendingPathComponent(Queue.mark).path, contents: nil)
        else { throw DemoError("the queue at \(directory.path) cannot be written", code: .cannotCreate) }
    }

    /// Removes a temporary queue, unless it still holds events.
    ///
    /// - Returns: Whether the queue still exists.
    func tidy(holdsEvents: Bool) -> Bool {
        guard isTemporary, !holdsEvents else { return true }
        try? FileManager.default.removeItem(at: directory)
        return false
    }
}
