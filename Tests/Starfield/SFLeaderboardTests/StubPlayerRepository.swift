import SFLeaderboard

/// A repository that returns a fixed list or fails, and saves nothing.
struct StubPlayerRepository: SFPlayerRepository {
    var result: Result<[SFPlayer], SFRepositoryError>

    func players() throws(SFRepositoryError) -> [SFPlayer] { try result.get() }

    func save(_ player: SFPlayer) throws(SFRepositoryError) { throw .unwritable("a stub keeps nothing") }
}
