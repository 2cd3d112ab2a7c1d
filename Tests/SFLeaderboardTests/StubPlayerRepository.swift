import SFLeaderboard

/// A repository that answers one list, or fails, and keeps nothing.
struct StubPlayerRepository: SFPlayerRepository {
    var result: Result<[SFPlayer], SFRepositoryError>

    func players() throws(SFRepositoryError) -> [SFPlayer] { try result.get() }

    func save(_ player: SFPlayer) throws(SFRepositoryError) { throw .unwritable("a stub keeps nothing") }
}
