import EventDelivery
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
            throw DemoError("the queue cannot be created at \(directory.path)", code: .cannotCreate)
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
                "the queue at \(directory.path) is not the demo's; inspect it with Scripts/queue",
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

/// The final flush of a run, which waits until everything is delivered or no more can be delivered for now.
@MainActor
struct ShutdownFlush {
    /// The time without a delivery after which the receivers count as down.
    private static let patience: Duration = .seconds(5)
    /// The time for delivery after a signal.
    private static let grace: Duration = .seconds(2)
    /// The time for an attempt while the receivers are known to be down.
    private static let attempt: Duration = .milliseconds(500)

    /// The engine and the other live parts.
    let tracking: DemoWiring
    /// The console for the progress line.
    let console: Console
    /// The signal that shortens the wait.
    let interruption: Interruption

    /// Delivers as many events as possible.
    func run(isOffline: Bool) async {
        if isOffline { return _ = await tracking.engine.flush(timeout: ShutdownFlush.attempt) }
        var lastProgress = ContinuousClock.now
        while true {
            if interruption.isRaised { return _ = await tracking.engine.flush(timeout: ShutdownFlush.grace) }
            let report = await tracking.engine.flush(timeout: .milliseconds(500))
            if report.isDrained || !report.lanes.contains(where: \.mayMove) { return }
            if report.lanes.contains(where: { $0.delivered > 0 }) { lastProgress = .now }
            guard lastProgress.duration(to: .now) < ShutdownFlush.patience else { return }
            console.progress("delivering, \(report.lanes.reduce(0) { $0 + $1.pending }) events pending")
            if !report.lanes.contains(where: { $0.outcome == .timedOut }) {
                // All lanes wait longer than the flush, which therefore returned at once.
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}

extension FlushReport.Lane {
    /// Whether more events of the lane may be delivered by waiting.
    fileprivate var mayMove: Bool { outcome == .timedOut || outcome == .waiting }
}
