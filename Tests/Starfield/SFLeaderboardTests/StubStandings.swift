import SFLeaderboard

/// Standings that return a fixed list in every order, or fail.
struct StubStandings: SFStandings {
    var result: Result<[SFPlayer], SFRepositoryError>

    func players(by order: SFPlayerOrder) throws(SFRepositoryError) -> [SFPlayer] { try result.get() }

    func record(_ score: Int, of nickname: String) throws(SFRepositoryError) {}
}
