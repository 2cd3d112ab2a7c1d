import CoreTrackerTesting
import SFLeaderboard
import Testing

/// A repository with a fixed list of players.
struct PlayerRepository: SFPlayerRepository {
    func players() -> [SFPlayer] {
        [
            "CoolMan", "SeriouslyStuff1022", "ThornSkillex45", "SrPensionao", "DaromDalashim", "ItzWatEver90",
            "ZMilof332", "Esperpento43531", "HereYourDead102", "AnotherGuyProgrammer",
        ].map { SFPlayer(nickname: $0) }
    }

    func save(_ player: SFPlayer) {}
}

/// A list that records the nicknames that it shows.
final class PlayersView: SFLeaderboardView {
    var nicknames: [String] = []

    func show(_ players: [SFPlayer], by order: SFPlayerOrder) { nicknames = players.map(\.nickname) }

    func showFailure(_ error: SFRepositoryError) {}
}

@MainActor
@Suite struct PlayersTests {
    @Test func `players are sorted by nickname, regardless of their repository`() throws {
        let players = try RepositoryStandings(repository: PlayerRepository()).players(by: .nickname)

        #expect(players.first?.nickname == "AnotherGuyProgrammer")
        #expect(players.map(\.nickname) == PlayerRepository().players().map(\.nickname).sorted())
        #expect(Set(players.map(\.id)).count == 10)
    }

    @Test func `the list shows the players of its presenter`() {
        let view = PlayersView()
        let standings = RepositoryStandings(repository: PlayerRepository())
        let tracker = MockTracker()
        let presenter = SFLeaderboardPresenter(standings: standings, tracker: tracker, navigation: MockTrackable())
        presenter.view = view

        presenter.sort(by: .nickname)

        #expect(view.nicknames == PlayerRepository().players().map(\.nickname).sorted())
        tracker.expect([SFLeaderboardViewed(order: .nickname, players: 10)])
    }
}
