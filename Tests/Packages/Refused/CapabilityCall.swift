import CoreTracker
import MultiTracker

func forgets(_ tracker: Tracker) {
    tracker.trackNavigate(toView: "detail")  // expected-error {{missing argument for parameter 'fromView' in call}}
    tracker.trackBackTap()  // expected-error {{missing argument for parameter 'fromView' in call}}
    tracker.trackSettingsOpen()  // expected-error {{missing argument for parameter 'fromView' in call}}
    tracker.trackHomeTap()  // expected-error {{missing argument for parameter 'extraParam' in call}}
    tracker.trackTap(on: "buy")  // expected-error {{missing argument for parameter 'fromView' in call}}
    tracker.optionalTrackTap(on: "buy")  // expected-error {{argument passed to call that takes no arguments}}
    tracker.trackNavigate(toView: "detail", fromView: "list")
    tracker.optionalTrackTap()
}

// expected-error@+2 {{does not conform to protocol 'ViewNavigationTrackable'}}
// expected-note@+1 {{add stubs for conformance}}
struct Forgetful: NavigationTrackable {
    func trackNavigate(toView: String) {}
    func trackBackTap(fromView: String) {}
    func trackSettingsOpen(fromView: String) {}
}

func looksInside(_ store: TrackerStore) {
    _ = store.registry  // expected-error {{'registry' is inaccessible due to 'internal' protection level}}
    store.register(Silent())
}

struct Silent: Trackable {
    let type: TrackerType = "silent"
}
