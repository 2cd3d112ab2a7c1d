import CoreTracker
import CoreTrackerTesting
import SFTracker
import Testing

@testable import SFLeaderboard

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

/// A view that records its calls.
final class RecordingLeaderboardView: SFLeaderboardView {
    private(set) var calls: [String] = []

    func show(_ players: [SFPlayer], by order: SFPlayerOrder) {
        calls.append("\(order): " + players.map(\.nickname).joined(separator: ", "))
    }

    func showFailure(_ error: SFRepositoryError) {
        calls.append("failed: \(error)")
    }
}

/// Standings that return a fixed list in every order, or fail.
struct StubStandings: SFStandings {
    var result: Result<[SFPlayer], SFRepositoryError>

    func players(by order: SFPlayerOrder) throws(SFRepositoryError) -> [SFPlayer] { try result.get() }

    func record(_ score: Int, of nickname: String) throws(SFRepositoryError) {}
}

@Suite struct SFLeaderboardViewedTests {
    @Test func `both services get the order and the number of players`() {
        let event = SFLeaderboardViewed(order: .nickname, players: 3)

        let parameters: EventParameters = ["sort": "nickname", "players": 3]
        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "leaderboard_view", parameters: parameters)),
                .awesomeTracking(AwesomeTrackingEvent(name: "leaderboard_viewed", parameters: parameters)),
            ]
        )
    }
}
