/// Standings over a repository, of which it knows the contract alone.
public struct RepositoryStandings: SFStandings {
    private let repository: any SFPlayerRepository

    /// Creates standings over a repository.
    public init(repository: any SFPlayerRepository) {
        self.repository = repository
    }

    public func players(by order: SFPlayerOrder) throws(SFRepositoryError) -> [SFPlayer] {
        let players = try repository.players()
        return switch order {
        case .nickname: players.sorted { $0.nickname < $1.nickname }
        case .score: players.sorted { ($1.score, $0.nickname) < ($0.score, $1.nickname) }
        }
    }

    public func record(_ score: Int, of nickname: String) throws(SFRepositoryError) {
        let best = try repository.players().first { $0.nickname == nickname }?.score ?? Int.min
        guard score > best else { return }
        try repository.save(SFPlayer(nickname: nickname, score: score))
    }
}
