import CoreTracker
import EventBuffer
import Foundation
import Locks

/// A state machine that turns signals into life-cycle events.
///
/// A process that the system launches in the background tracks nothing until it becomes active. Several activations
/// without a background phase between them, such as after a system dialog, count once.
struct AppVisits: Sendable {
    private var openedAt: MonotonicInstant?
    private var hasBeenOpen = false

    /// Records that the app is active.
    ///
    /// Returns the event to track, or `nil` if the app was already open.
    mutating func opened(at now: MonotonicInstant) -> AppOpened? {
        guard openedAt == nil else { return nil }
        defer { (openedAt, hasBeenOpen) = (now, true) }
        return AppOpened(isLaunch: !hasBeenOpen)
    }

    /// Records that the app has left the foreground.
    ///
    /// Returns the event to track, or `nil` if the app was not open.
    mutating func left(at now: MonotonicInstant) -> AppBackgrounded? {
        guard let start = openedAt else { return nil }
        openedAt = nil
        return AppBackgrounded(duration: start.duration(to: now))
    }
}

/// A file with the version of the app that ran last.
struct VersionRecord: Sendable {
    /// The version that ran before.
    enum Previous: Sendable, Hashable {
        /// No version has run before.
        case none
        /// A version has run before.
        case version(String)
        /// The file cannot be read, for example before the first unlock.
        case unknown
    }

    let file: URL

    /// Reads the version that ran before.
    func previous() -> Previous {
        do {
            return .version(String(decoding: try Data(contentsOf: file), as: UTF8.self))
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return .none
        } catch {
            return .unknown
        }
    }

    /// Writes the version that runs now.
    func write(_ version: String) {
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try? Data(version.utf8).write(to: file, options: .atomic)
    }
}

/// The tracking of an app's life cycle.
final class AppLifecycle: Sendable {
    private struct State {
        var visits = AppVisits()
        var previous: VersionRecord.Previous
    }

    private let tracker: any CoreTracker
    private let version: String
    private let record: VersionRecord
    private let clock: any DeliveryClock
    private let state: Mutex<State>

    init(tracker: any CoreTracker, version: String, record: VersionRecord, clock: any DeliveryClock) {
        self.tracker = tracker
        self.version = version
        self.record = record
        self.clock = clock
        state = Mutex(State(previous: record.previous()))
    }

    /// Tracks the events of an activation.
    ///
    /// If the version is new, it is recorded as soon as its event is stored. An app that is killed in between tracks the
    /// event again at its next launch.
    func becameActive(_ engine: DeliveryEngine) {
        let now = clock.monotonicTime()
        let (previous, opened) = state.withLock { state in
            let previous = state.previous
            state.previous = .version(version)
            return (previous, state.visits.opened(at: now))
        }
        switch previous {
        case .none: tracker.track(AppFirstOpened(version: version))
        case .version(version), .unknown: break
        case .version(let previous): tracker.track(AppUpdated(previousVersion: previous, version: version))
        }
        if let opened { tracker.track(opened) }
        if previous != .version(version), previous != .unknown {
            Task { [record, version] in
                await engine.persist()
                record.write(version)
            }
        }
    }

    func enteredBackground() {
        let now = clock.monotonicTime()
        if let event = state.withLock({ $0.visits.left(at: now) }) { tracker.track(event) }
    }
}
