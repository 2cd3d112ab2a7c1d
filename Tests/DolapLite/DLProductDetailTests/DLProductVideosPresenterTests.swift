import CoreTrackerTesting
import DLProductDetail
import Testing

@MainActor
@Suite struct DLProductVideosPresenterTests {
    private let playback = MockTrackable()
    private let view = RecordingVideosView()
    private let presenter: DLProductVideosPresenter

    init() {
        presenter = DLProductVideosPresenter(videos: ["v-1", "v-2"], playback: playback)
        presenter.view = view
    }

    @Test func `each action of the viewer is tracked once and shown`() {
        presenter.play()
        presenter.pause()
        presenter.play()
        presenter.next()
        presenter.previous()
        presenter.close()

        playback.expect([.play, .pause, .play, .next, .previous, .stop])
        #expect(view.shown == ["v-1", "paused", "v-1", "v-2", "v-1", "closed"])
    }

    @Test func `actions without effect are not tracked`() {
        presenter.pause()
        presenter.previous()
        presenter.play()
        presenter.play()
        presenter.next()
        presenter.next()

        playback.expect([.play, .next])
    }

    @Test func `without a video, nothing plays`() {
        let presenter = DLProductVideosPresenter(videos: [], playback: playback)

        presenter.play()
        presenter.next()

        playback.expect([])
    }
}

/// A view that records its calls.
@MainActor
private final class RecordingVideosView: DLProductVideosView {
    private(set) var shown: [String] = []

    func showPlaying(_ video: String) { shown.append(video) }
    func showPaused() { shown.append("paused") }
    func showClosed() { shown.append("closed") }
}
