#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Standings that are stored in a repository.
///
/// ```swift
/// let repository = InMemoryPlayerRepository()
/// let standings = RepositoryStandings(repository: repository)
///
/// try standings.record(10, of: "ada")
/// try standings.record(5, of: "bob")
/// ```
public struct RepositoryStandings: SFStandings {
    private let repository: any SFPlayerRepository
    private let makeID: @Sendable () -> UUID

    /// Creates standings.
    ///
    /// - Parameters:
    ///   - repository: The repository of the players.
    ///   - makeID: A function that returns the identifier of a new player. The default is a random one.
    public init(repository: any SFPlayerRepository, makeID: @escaping @Sendable () -> UUID = { UUID() }) {
        self.repository = repository
        self.makeID = makeID
    }

    public func players(by order: SFPlayerOrder) throws(SFRepositoryError) -> [SFPlayer] {
        let players = try repository.players()
        return switch order {
        case .nickname: players.sorted { $0.nickname < $1.nickname }
        case .score: players.sorted { ($1.score, $0.nickname) < ($0.score, $1.nickname) }
        }
    }

    public func record(_ score: Int, of nickname: String) throws(SFRepositoryError) {
        let player = try repository.players().first { $0.nickname == nickname }
        guard score > player?.score ?? Int.min else { return }
        try repository.save(SFPlayer(id: player?.id ?? makeID(), nickname: nickname, score: score))
    }
}
