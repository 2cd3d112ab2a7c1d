public import EventDelivery
import EventOutbox
public import EventTracking
public import Foundation

/// The delivery of events in the directories of an app's extensions.
extension DeliveryEngine {
    /// Delivers the events in directories of extensions that have not run for a while, one directory at a time.
    ///
    /// Call it in the app, for example in a background task. If the calling task is cancelled, it closes the directory
    /// within a second, and opens no other. A directory that cannot be used, for example because an extension uses it,
    /// takes no time of the others. Events of a lane without a destination stay.
    ///
    /// - Parameters:
    ///   - directories: The directories.
    ///   - configuration: The destinations of the extensions' lanes, and the limits. Its directory is ignored. If it
    ///     publishes decisions, the delivery follows them.
    ///   - age: The minimum time since the last change of a directory.
    ///   - timeout: The maximum time for all directories.
    /// - Returns: The report of each opened directory.
    /// - Throws: `EngineError` if the destinations of the configuration cannot be used, as `open(_:)` does.
    @discardableResult
    public static func deliver(
        directories: [URL],
        with configuration: DeliveryConfiguration,
        unusedFor age: Duration = .seconds(60 * 60),
        timeout: Duration
    ) async throws(EngineError) -> [URL: FlushReport] {
        let clock = SystemClock()
        let now = clock.wallTime().microseconds / 1_000_000
        let unused = now - max(0, age.wholeSeconds)
        let end = clock.monotonicTime().advanced(by: timeout)
        var configuration = configuration
        if case .publish(let shared) = configuration.sharing { configuration.sharing = .follow(shared) }
        var reports: [URL: FlushReport] = [:]
        for directory in directories {
            // After the clock was set back, a change may lie in the future. The lock protects a running extension.
            guard let change = OutboxDirectory.lastChange(in: directory), change <= unused || change > now else {
                continue
            }
            var rest: Duration { Task.isCancelled ? .zero : max(.zero, clock.monotonicTime().duration(to: end)) }
            guard rest > .zero else { break }
            configuration.directory = directory
            let engine = DeliveryEngine()
            try await engine.open(configuration)
            let isUsable = await engine.statistics().allSatisfy { $0.storageFailure == nil }
            reports[directory] = await engine.flush(timeout: isUsable ? rest : .zero)
            // The rest of the time is for the deletion of denied events.
            await engine.close(timeout: isUsable ? rest : .zero)
        }
        return reports
    }
}
