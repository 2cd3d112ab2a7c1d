extension Tracker: PlaybackTrackable {
    public func trackPlay() {
        forEach(of: (any PlaybackTrackable).self) { $0.trackPlay() }
    }

    public func trackPause() {
        forEach(of: (any PlaybackTrackable).self) { $0.trackPause() }
    }

    public func trackStop() {
        forEach(of: (any PlaybackTrackable).self) { $0.trackStop() }
    }

    public func trackNext() {
        forEach(of: (any PlaybackTrackable).self) { $0.trackNext() }
    }

    public func trackPrevious() {
        forEach(of: (any PlaybackTrackable).self) { $0.trackPrevious() }
    }
}

extension Tracker: NavigationTrackable {
    public func trackNavigate(toView: String, fromView: String) {
        forEach(of: (any NavigationTrackable).self) { $0.trackNavigate(toView: toView, fromView: fromView) }
    }

    public func trackBackTap() {
        forEach(of: (any NavigationTrackable).self) { $0.trackBackTap() }
    }

    public func trackSettingsOpen() {
        forEach(of: (any NavigationTrackable).self) { $0.trackSettingsOpen() }
    }
}

extension Tracker: OptionalNavigationTrackable {
    public func trackTabSelect(view: String) {
        forEach(of: (any OptionalNavigationTrackable).self) { $0.trackTabSelect(view: view) }
    }

    public func trackDeepLinkOpen(toView: String) {
        forEach(of: (any OptionalNavigationTrackable).self) { $0.trackDeepLinkOpen(toView: toView) }
    }
}

extension Tracker: HomeTrackable {
    public func trackLogin() {
        forEach(of: (any HomeTrackable).self) { $0.trackLogin() }
    }

    public func trackNavigate(toView: String) {
        forEach(of: (any HomeTrackable).self) { $0.trackNavigate(toView: toView) }
    }
}

extension Tracker: HomeTapTrackable {
    public func trackHomeTap() {
        forEach(of: (any HomeTapTrackable).self) { $0.trackHomeTap() }
    }
}
