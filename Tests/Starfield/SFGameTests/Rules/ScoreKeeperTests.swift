import Testing

@testable import SFGame

@Suite struct ScoreKeeperTests {
    @Test func `hits and destroyed enemies give points, the player's losses do not`() {
        var keeper = ScoreKeeper(enemiesPerLevel: 5)

        _ = keeper.count(.shipHit(side: .enemy, livesLeft: 0))
        _ = keeper.count(.shipDestroyed(side: .enemy))
        _ = keeper.count(.shipHit(side: .player, livesLeft: 2))
        _ = keeper.count(.shipDestroyed(side: .player))

        #expect(keeper.score == 110)
    }

    @Test func `a level is complete when its last enemy is destroyed`() {
        var keeper = ScoreKeeper(enemiesPerLevel: 2)

        let ends = (0..<4).map { _ in keeper.count(.shipDestroyed(side: .enemy)) }

        #expect(ends == [false, true, false, true])
        #expect(keeper.level == 3)
    }
}
