import Testing

@testable import SFGame

@Suite struct ScoreKeeperTests {
    @Test func `hits and ends of enemies are worth points, the player's own are not`() {
        var keeper = ScoreKeeper(enemiesPerLevel: 5)

        _ = keeper.count(.shipHit(side: .enemy, livesLeft: 0))
        _ = keeper.count(.shipDestroyed(side: .enemy))
        _ = keeper.count(.shipHit(side: .player, livesLeft: 2))
        _ = keeper.count(.shipDestroyed(side: .player))

        #expect(keeper.score == 110)
    }

    @Test func `a level ends with its last enemy`() {
        var keeper = ScoreKeeper(enemiesPerLevel: 2)

        let ends = (0..<4).map { _ in keeper.count(.shipDestroyed(side: .enemy)) }

        #expect(ends == [false, true, false, true])
        #expect(keeper.level == 3)
    }
}
