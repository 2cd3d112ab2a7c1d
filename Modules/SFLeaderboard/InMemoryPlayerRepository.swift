import Locks

/// A repository that lasts as long as its object.
public final class InMemoryPlayerRepository: SFPlayerRepository {
    private let kept: Mutex<[String: SFPlayer]>

    /// Creates a repository with some players.
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
