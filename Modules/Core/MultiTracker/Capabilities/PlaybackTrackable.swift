/// The capability to record the use of an audio or video player.
public protocol PlaybackTrackable: Sendable {
    /// Records that playback was started or resumed.
    func trackPlay()
    /// Records that playback was paused.
    func trackPause()
    /// Records that playback was stopped.
    func trackStop()
    /// Records a skip to the next title.
    func trackNext()
    /// Records a return to the previous title.
    func trackPrevious()
}
