public import CoreTracker

extension MockTrackable {
    /// A call of a capability, with its arguments.
    public enum Call: Sendable, Hashable {
        /// `trackPlay()`
        case play
        /// `trackPause()`
        case pause
        /// `trackStop()`
        case stop
        /// `trackNext()`
        case next
        /// `trackPrevious()`
        case previous
        /// `trackNavigate(toView:fromView:)`
        case navigate(toView: String, fromView: String)
        /// `trackBackTap(fromView:)`
        case backTap(fromView: String)
        /// `trackSettingsOpen(fromView:)`
        case settingsOpen(fromView: String)
        /// `trackTabSelect(view:)`
        case tabSelect(view: String)
        /// `trackDeepLinkOpen(toView:)`
        case deepLinkOpen(toView: String)
        /// `optionalTrackTap()`
        case optionalTap
        /// `trackTap(on:fromView:)`
        case tap(on: String, fromView: String)
        /// `trackLogin()`
        case login
        /// `trackHomeTap(extraParam:)`
        case homeTap(extraParam: String)
        /// A named event, or a call of a capability that the test's module defines.
        case event(VendorEvent)

        /// The call as text: one line, and for an event one further line for each parameter.
        var lines: [String] {
            guard case .event(let event) = self else { return ["\(self)"] }
            let recorded = RecordedEvent(ServiceCall(service: .vendor(event)))
            return ["event \(event.name.debugDescription)"] + recorded.lines.dropFirst(2)
        }
    }
}
