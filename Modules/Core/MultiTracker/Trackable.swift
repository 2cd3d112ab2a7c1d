public import CoreTracker

/// A vendor's tracker that can be registered in a ``TrackerStore``.
///
/// Each capability is a separate protocol, such as ``PlaybackTrackable``. A tracker conforms only to the capabilities
/// that its vendor needs.
///
/// ```swift
/// struct Taps: OptionalNavigationTrackable, Trackable {
///     let type: TrackerType = "taps"
///     let calls = MockTrackable()
///
///     func optionalTrackTap() { calls.optionalTrackTap() }
/// }
/// ```
///
/// Contract: every member may be called from any thread, and from inside another call. It returns without waiting for
/// the disk or the network.
public protocol Trackable: Sendable {
    /// The vendor's name.
    ///
    /// The store reads it once, when the tracker is registered.
    var type: TrackerType { get }
}

/// The capability to record the navigation between views that every product has.
public protocol NavigationTrackable: ViewNavigationTrackable {
    /// Records a tap on the back button.
    ///
    /// - Parameter fromView: The name of the view with the button.
    func trackBackTap(fromView: String)
    /// Records that the settings were opened.
    ///
    /// - Parameter fromView: The name of the view from which they were opened.
    func trackSettingsOpen(fromView: String)
}

/// The capability to record taps that are only counted.
///
/// It is separate from ``NavigationTrackable`` because a vendor can have either without the other. ``TapTrackable``
/// records the tapped element and its view.
public protocol OptionalNavigationTrackable: Sendable {
    /// Records a tap.
    func optionalTrackTap()
}

/// The capability to record navigation between views.
///
/// ``NavigationTrackable`` and ``HomeTrackable`` both refine it. As a separate protocol, it lets one call of
/// ``Tracker`` reach a vendor once, even if the vendor has both.
public protocol ViewNavigationTrackable: Sendable {
    /// Records the navigation from one view to another.
    ///
    /// - Parameters:
    ///   - toView: The name of the opened view.
    ///   - fromView: The name of the previous view.
    func trackNavigate(toView: String, fromView: String)
}

/// The capability to record the selection of a tab.
public protocol TabTrackable: Sendable {
    /// Records the selection of a tab.
    ///
    /// - Parameter view: The name of the tab's view.
    func trackTabSelect(view: String)
}

/// The capability to record sign-ins, and navigation to and from the home screen.
public protocol HomeTrackable: ViewNavigationTrackable {
    /// Records that a user has signed in.
    func trackLogin()
}

/// The capability to record taps on the home button.
///
/// It is separate from ``HomeTrackable``, because few vendors record these taps.
public protocol HomeTapTrackable: Sendable {
    /// Records a tap on the home button.
    ///
    /// - Parameter extraParam: A value that the app chooses, such as the selected campaign.
    func trackHomeTap(extraParam: String)
}

/// The capability to record the tapped element and its view.
///
/// The name of its call differs from ``OptionalNavigationTrackable/optionalTrackTap()``. A call with a missing argument
/// therefore does not compile, instead of calling the other one.
public protocol TapTrackable: Sendable {
    /// Records a tap on an element.
    ///
    /// - Parameters:
    ///   - element: The element's name.
    ///   - fromView: The name of the element's view.
    func trackTap(on element: String, fromView: String)
}

/// The capability to record links from other apps and from the web.
public protocol DeepLinkTrackable: Sendable {
    /// Records that a link opened a view.
    ///
    /// - Parameter toView: The view's name.
    func trackDeepLinkOpen(toView: String)
}

/// The capability to record the use of a player that has no stop, such as a feed of videos.
///
/// ``PlaybackTrackable`` adds the stop. A vendor without that call conforms to this protocol alone.
public protocol PlayerTrackable: Sendable {
    /// Records that playback was started or resumed.
    func trackPlay()
    /// Records that playback was paused.
    func trackPause()
    /// Records a skip to the next title.
    func trackNext()
    /// Records a return to the previous title.
    func trackPrevious()
}

/// The capability to record the use of an audio or video player.
public protocol PlaybackTrackable: PlayerTrackable {
    /// Records that playback was stopped.
    func trackStop()
}

/// The capability to record any named event, such as a `VendorEvent` of an event's services.
public protocol VendorEventTrackable: Sendable {
    /// Records an event in the vendor's wire format.
    ///
    /// Later changes do not affect it.
    ///
    /// - Parameter event: The event.
    func track(_ event: VendorEvent)
}

/// The capability to report that the user has denied consent.
///
/// ``Tracker`` reads it before each call and counts the calls that it withholds. If the user has not decided yet, the
/// tracker returns `false` and holds the events itself.
public protocol ConsentGatedTrackable: Trackable {
    /// Whether the user has denied the purpose of this tracker.
    ///
    /// It is read on any thread and returns quickly.
    var isConsentDenied: Bool { get }
}
