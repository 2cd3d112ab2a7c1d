public import CoreTracker
import Locks

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A service that records results and lists players.
///
/// Orders are total: players with equal scores are ordered by nickname.
public protocol SFStandings: Sendable {
    /// Returns all players in an order.
    ///
    /// - Parameter order: The order of the list.
    /// - Returns: The players.
    /// - Throws: ``SFRepositoryError`` if the players cannot be read.
    func players(by order: SFPlayerOrder) throws(SFRepositoryError) -> [SFPlayer]
    /// Records a result.
    ///
    /// Only a player's best score is kept.
    ///
    /// - Parameters:
    ///   - score: The player's points in a game.
    ///   - nickname: The player's unique name. An unknown name creates a player.
    /// - Throws: ``SFRepositoryError`` if the players cannot be read or written.
    func record(_ score: Int, of nickname: String) throws(SFRepositoryError)
}

/// Standings in a repository.
///
/// It can be used from several threads; its calls are serialized. Use one object for a repository.
///
/// ```swift
/// let repository = InMemoryPlayerRepository()
/// let standings = RepositoryStandings(repository: repository)
///
/// try standings.record(10, of: "ada")
/// try standings.record(5, of: "bob")
/// ```
public final class RepositoryStandings: SFStandings {
    private let repository: Mutex<any SFPlayerRepository>
    private let makeID: @Sendable () -> UUID

    /// Creates standings.
    ///
    /// - Parameters:
    ///   - repository: The repository of the players.
    ///   - makeID: A function that returns the identifier of a new player. The default is a random one.
    public init(repository: any SFPlayerRepository, makeID: @escaping @Sendable () -> UUID = { UUID() }) {
        self.repository = Mutex(repository)
        self.makeID = makeID
    }

    public func players(by order: SFPlayerOrder) throws(SFRepositoryError) -> [SFPlayer] {
        let players = try repository.withLock { repository throws(SFRepositoryError) in try repository.players() }
        return switch order {
        case .nickname: players.sorted { $0.nickname < $1.nickname }
        case .score: players.sorted { ($1.score, $0.nickname) < ($0.score, $1.nickname) }
        }
    }

    public func record(_ score: Int, of nickname: String) throws(SFRepositoryError) {
        try repository.withLock { repository throws(SFRepositoryError) in
            let player = try repository.players().first { $0.nickname == nickname }
            guard score > player?.score ?? Int.min else { return }
            try repository.save(SFPlayer(id: player?.id ?? makeID(), nickname: nickname, score: score))
        }
    }
}

/// A player and the player's best score.
public struct SFPlayer: Sendable, Hashable, Identifiable, Codable {
    /// The player's identifier, which stays the same for all scores.
    public let id: UUID
    /// The player's chosen name.
    ///
    /// Nicknames are unique.
    public let nickname: String
    /// The best score.
    public let score: Int

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - id: The player's identifier. The default is a new one.
    ///   - nickname: The unique name of the player.
    ///   - score: The best score.
    public init(id: UUID = UUID(), nickname: String, score: Int = 0) {
        self.id = id
        self.nickname = nickname
        self.score = score
    }
}

/// An order in which players are listed.
public enum SFPlayerOrder: String, ParameterRepresentable, Hashable, CaseIterable {
    /// By nickname, from A to Z.
    case nickname
    /// By score, the highest first.
    case score
}
