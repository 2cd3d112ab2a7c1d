extension Tracker: PlayerTrackable {
    public func trackPlay() {
        forEach(of: (any PlayerTrackable).self) { $0.trackPlay() }
    }

    public func trackPause() {
        forEach(of: (any PlayerTrackable).self) { $0.trackPause() }
    }

    public func trackNext() {
        forEach(of: (any PlayerTrackable).self) { $0.trackNext() }
    }

    public func trackPrevious() {
        forEach(of: (any PlayerTrackable).self) { $0.trackPrevious() }
    }
}

extension Tracker: PlaybackTrackable {
    public func trackStop() {
        forEach(of: (any PlaybackTrackable).self) { $0.trackStop() }
    }
}

extension Tracker: ViewNavigationTrackable {
    public func trackNavigate(toView: String, fromView: String) {
        forEach(of: (any ViewNavigationTrackable).self) { $0.trackNavigate(toView: toView, fromView: fromView) }
    }
}

extension Tracker: NavigationTrackable {
    public func trackBackTap(fromView: String) {
        forEach(of: (any NavigationTrackable).self) { $0.trackBackTap(fromView: fromView) }
    }

    public func trackSettingsOpen(fromView: String) {
        forEach(of: (any NavigationTrackable).self) { $0.trackSettingsOpen(fromView: fromView) }
    }
}

extension Tracker: OptionalNavigationTrackable {
    public func optionalTrackTap() {
        forEach(of: (any OptionalNavigationTrackable).self) { $0.optionalTrackTap() }
    }
}

extension Tracker: TabTrackable {
    public func trackTabSelect(view: String) {
        forEach(of: (any TabTrackable).self) { $0.trackTabSelect(view: view) }
    }
}

extension Tracker: DeepLinkTrackable {
    public func trackDeepLinkOpen(toView: String) {
        forEach(of: (any DeepLinkTrackable).self) { $0.trackDeepLinkOpen(toView: toView) }
    }
}

extension Tracker: TapTrackable {
    public func trackTap(on element: String, fromView: String) {
        forEach(of: (any TapTrackable).self) { $0.trackTap(on: element, fromView: fromView) }
    }
}

extension Tracker: HomeTrackable {
    public func trackLogin() {
        forEach(of: (any HomeTrackable).self) { $0.trackLogin() }
    }
}

extension Tracker: HomeTapTrackable {
    public func trackHomeTap(extraParam: String) {
        forEach(of: (any HomeTapTrackable).self) { $0.trackHomeTap(extraParam: extraParam) }
    }
}
