import CoreTracker
import MultiTracker
import Synchronization

/// A tracker with every capability of the module; keeps its calls as text.
final class RecordingTracker: Trackable {
    let type: TrackerType
    private let recorded = Mutex<[String]>([])
    private let denied: Atomic<Bool>

    init(_ type: TrackerType, isConsentDenied: Bool = false) {
        self.type = type
        denied = Atomic(isConsentDenied)
    }

    var calls: [String] { recorded.withLock { $0 } }

    func record(_ call: String) {
        recorded.withLock { $0.append(call) }
    }

    func denyConsent(_ isDenied: Bool) {
        denied.store(isDenied, ordering: .sequentiallyConsistent)
    }
}

extension RecordingTracker: ConsentGatedTrackable {
    var isConsentDenied: Bool { denied.load(ordering: .sequentiallyConsistent) }
}

extension RecordingTracker: PlaybackTrackable {
    func trackPlay() { record("play") }
    func trackPause() { record("pause") }
    func trackStop() { record("stop") }
    func trackNext() { record("next") }
    func trackPrevious() { record("previous") }
}

extension RecordingTracker: NavigationTrackable {
    func trackNavigate(toView: String, fromView: String) { record("navigate \(fromView)→\(toView)") }
    func trackBackTap() { record("back") }
    func trackSettingsOpen() { record("settings") }
}

extension RecordingTracker: OptionalNavigationTrackable {
    func trackTabSelect(view: String) { record("tab \(view)") }
    func trackDeepLinkOpen(toView: String) { record("link \(toView)") }
}

extension RecordingTracker: HomeTrackable {
    func trackLogin() { record("login") }
    func trackNavigate(toView: String) { record("home→\(toView)") }
}

extension RecordingTracker: HomeTapTrackable {
    func trackHomeTap() { record("home") }
}

extension RecordingTracker: VendorEventTrackable {
    func track(_ event: VendorEvent) { record("event \(event.name)") }
}
