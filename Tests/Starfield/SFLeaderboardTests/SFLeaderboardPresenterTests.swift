import CoreTrackerTesting
import SFLeaderboard
import SFTracker
import Testing

@MainActor
@Suite struct SFLeaderboardPresenterTests {
    private let tracker = MockTracker()
    private let view = RecordingLeaderboardView()

    @Test func `each time that a leaderboard appears or is sorted is tracked`() {
        let presenter = makePresenter(StubStandings(result: .success([SFPlayer(nickname: "ada", score: 10)])))

        presenter.appear()
        presenter.sort(by: .nickname)

        tracker.expect([
            SFNavigated(toView: "leaderboard", fromView: "game"),
            SFLeaderboardViewed(order: .score, players: 1),
            SFLeaderboardViewed(order: .nickname, players: 1),
        ])
        #expect(view.calls == ["score: ada", "nickname: ada"])
    }

    @Test func `a list that cannot be read is shown as a failure and not tracked as viewed`() {
        let presenter = makePresenter(StubStandings(result: .failure(.unreadable("gone"))))

        presenter.sort(by: .score)

        tracker.expectNothing()
        #expect(view.calls == [#"failed: unreadable("gone")"#])
    }

    @Test func `no nickname is tracked`() {
        let players = [SFPlayer(nickname: "ada-lovelace", score: 10)]
        let presenter = makePresenter(RepositoryStandings(repository: InMemoryPlayerRepository(players)))

        presenter.appear()

        tracker.expectNothing(containing: "ada-lovelace")
    }

    private func makePresenter(_ standings: any SFStandings) -> SFLeaderboardPresenter {
        let presenter = SFLeaderboardPresenter(
            standings: standings,
            tracker: tracker,
            navigation: SFNavigation(tracker: tracker)
        )
        presenter.view = view
        return presenter
    }
}
