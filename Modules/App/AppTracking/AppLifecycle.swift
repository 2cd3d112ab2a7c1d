import CoreTracker
import EventTracking
import Foundation
import Locks

/// A file with the version of the app that ran last.
struct VersionRecord: Sendable {
    /// The version that ran before.
    enum Previous: Sendable, Hashable {
        /// No version has run before.
        case none
        /// A version has run before.
        case version(String)
        /// The file is empty or has other contents.
        case damaged
        /// The file cannot be read, for example before the first unlock.
        case unreadable
    }

    /// The maximum size of a version in bytes.
    private static let maximumBytes = 256

    let file: URL

    /// Reads the version that ran before.
    func previous() -> Previous {
        do {
            let text = String(bytes: try Data(contentsOf: file), encoding: .utf8)
            return VersionRecord.version(in: text).map(Previous.version) ?? .damaged
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return .none
        } catch {
            return .unreadable
        }
    }

    /// Returns the version in a text, or `nil` if the text is not one line of visible characters.
    private static func version(in text: String?) -> String? {
        guard let version = text?.trimmingCharacters(in: .whitespacesAndNewlines), !version.isEmpty,
            version.utf8.count <= maximumBytes, version.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
        else { return nil }
        return version
    }

    /// Writes the version that runs now.
    ///
    /// After a power loss, the file has the version, or is empty.
    func write(_ version: String) {
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        do {
            try Data(version.utf8).write(to: file, options: .atomic)
            let handle = try FileHandle(forUpdating: file)
            try handle.synchronize()
            try handle.close()
        } catch {
            // The next launch tracks the event again.
        }
    }
}

/// The tracking of an app's life cycle.
final class AppLifecycle: Sendable {
    private let tracker: any CoreTracker
    private let version: String
    private let record: VersionRecord
    private let previous: VersionRecord.Previous
    /// Whether the version is new and not recorded yet.
    private let isUnrecorded = Atomic(false)

    init(tracker: any CoreTracker, version: String, record: VersionRecord) {
        self.tracker = tracker
        // The record is read without surrounding spaces.
        self.version = version.trimmingCharacters(in: .whitespacesAndNewlines)
        self.record = record
        previous = record.previous()
    }

    /// Tracks the events of an activation.
    ///
    /// If the version is new, it is recorded as soon as its event is stored. An app that is killed in between tracks
    /// the event again at its next launch.
    func becameActive(_ engine: DeliveryEngine) {
        if engine.takeVersionCheck() { trackVersion() }
        if isUnrecorded.load(ordering: .relaxed) { Task { await recordVersion(engine) } }
        if let isLaunch = engine.takeOpening() { tracker.track(AppOpened(isLaunch: isLaunch)) }
    }

    /// Tracks the end of a visit.
    func enteredBackground(_ engine: DeliveryEngine) {
        if let duration = engine.takeEnding() { tracker.track(AppBackgrounded(duration: duration)) }
    }

    private func trackVersion() {
        switch previous {
        case .version(version), .unreadable: return
        case .damaged: break
        case .none: tracker.track(AppFirstOpened(version: version))
        case .version(let previous): tracker.track(AppUpdated(previousVersion: previous, version: version))
        }
        isUnrecorded.store(true, ordering: .relaxed)
    }

    /// Records a new version, unless its event may still be in memory only.
    func recordVersion(_ engine: DeliveryEngine) async {
        guard isUnrecorded.load(ordering: .relaxed) else { return }
        await engine.storeBuffered()
        // The installation has no id before the engine opens its storage.
        let hasStorage = !engine.identity.deviceID.isEmpty
        let isStored = await engine.statistics().allSatisfy { lane in
            lane.ledger.pending == 0 || (hasStorage && lane.storageFailure == nil)
        }
        guard isStored, isUnrecorded.exchange(false, ordering: .relaxed) else { return }
        record.write(version)
    }
}
