import Locks

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An unordered store of players.
///
/// Nicknames are unique: saving a player replaces the player with the same nickname. A saved player is visible to all
/// later calls. `PlayerRepositoryContractTests` checks each implementation.
public protocol SFPlayerRepository: Sendable {
    /// Returns all players, in any order.
    ///
    /// - Returns: The players.
    /// - Throws: ``SFRepositoryError/unreadable(_:)`` if the players cannot be read.
    func players() throws(SFRepositoryError) -> [SFPlayer]
    /// Saves a player.
    ///
    /// If saving fails, the stored players do not change.
    ///
    /// - Parameter player: The player, who replaces one with the same nickname.
    /// - Throws: ``SFRepositoryError`` if the players cannot be read or written.
    func save(_ player: SFPlayer) throws(SFRepositoryError)
}

/// An error of a player repository.
public enum SFRepositoryError: Error, Sendable, Hashable {
    /// The stored players cannot be read, with the cause.
    case unreadable(String)
    /// The players cannot be written, with the cause.
    case unwritable(String)
}

/// A repository in memory.
public final class InMemoryPlayerRepository: SFPlayerRepository {
    private let kept: Mutex<[String: SFPlayer]>

    /// Creates a repository.
    ///
    /// - Parameter players: The initial players. If a nickname occurs twice, the last player is used.
    public init(_ players: [SFPlayer] = []) {
        kept = Mutex(Dictionary(players.map { ($0.nickname, $0) }) { _, last in last })
    }

    public func players() -> [SFPlayer] {
        kept.withLock { Array($0.values) }
    }

    public func save(_ player: SFPlayer) {
        kept.withLock { $0[player.nickname] = player }
    }
}

/// A repository in a JSON file.
///
/// Each change replaces the file atomically. Only one object may write a file at a time. An object can be used from
/// several threads; its calls are serialized.
package final class FilePlayerRepository: SFPlayerRepository {
    private let file: Mutex<URL>

    /// Creates a repository.
    ///
    /// - Parameter file: The location of the file. If there is no file yet, the repository is empty.
    package init(file: URL) {
        self.file = Mutex(file)
    }

    package func players() throws(SFRepositoryError) -> [SFPlayer] {
        try file.withLock { url throws(SFRepositoryError) in
            try FilePlayerRepository.read(url)
        }
    }

    package func save(_ player: SFPlayer) throws(SFRepositoryError) {
        try file.withLock { url throws(SFRepositoryError) in
            let others = try FilePlayerRepository.read(url).filter { $0.nickname != player.nickname }
            try FilePlayerRepository.write(others + [player], to: url)
        }
    }

    private static func read(_ url: URL) throws(SFRepositoryError) -> [SFPlayer] {
        do {
            return try JSONDecoder().decode([SFPlayer].self, from: Data(contentsOf: url))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            throw .unreadable("\(error)")
        }
    }

    private static func write(_ players: [SFPlayer], to url: URL) throws(SFRepositoryError) {
        do {
            try JSONEncoder().encode(players).write(to: url, options: .atomic)
        } catch {
            throw .unwritable("\(error)")
        }
    }
}
