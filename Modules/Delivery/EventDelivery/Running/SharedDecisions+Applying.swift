import EventTracking

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension SharedDecisions {
    /// Applies the app's decisions to the directories of extensions, and deletes the covered events.
    ///
    /// Call it in the app after a denial or an erasure, so no byte of the events is left in the directories of
    /// extensions that are not running. The work on each directory takes as long as `DeliveryEngine.setConsent` takes
    /// for a denial. Missing directories are left out.
    ///
    /// - Parameter directories: The directories of the extensions.
    /// - Throws: ``SharedDecisionsError`` with the directories to which the decisions could not be applied. If an
    ///   extension uses one of them, it applies the decisions at its next flush, or when it enters the foreground.
    public func apply(to directories: [URL]) async throws(SharedDecisionsError) {
        var failures: [URL: OutboxError] = [:]
        for directory in directories where FileManager.default.fileExists(atPath: directory.path) {
            var configuration = DeliveryConfiguration(directory: directory, destinations: [])
            configuration.sharing = .follow(self)
            let store = DeliveryStore(
                buffer: EventBuffer(clock: SystemClock(), eventTime: nil, capacity: 1),
                configuration: configuration
            )
            await store.start()
            do throws(OutboxError) { try await store.finishDeletion() } catch { failures[directory] = error }
            await store.stop()
        }
        guard failures.isEmpty else { throw SharedDecisionsError(failures: failures) }
    }
}
