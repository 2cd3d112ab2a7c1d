/// The capability to record what a listener or viewer does with a player.
public protocol PlaybackTrackable: Sendable {
    /// Records that playing has started or gone on.
    func trackPlay()
    /// Records that playing is held.
    func trackPause()
    /// Records that playing has ended.
    func trackStop()
    /// Records the step to the next title.
    func trackNext()
    /// Records the step back to the previous title.
    func trackPrevious()
}
