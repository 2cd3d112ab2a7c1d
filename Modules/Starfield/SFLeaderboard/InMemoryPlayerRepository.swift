import Locks

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
