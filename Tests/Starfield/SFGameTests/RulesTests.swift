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

@Suite struct CollisionsTests {
    @Test func `a character that a collision destroys does not collide again`() {
        let bullet = Bullet.stub(side: .player)
        let ships = [CollidingShip(.stub(side: .enemy)), CollidingShip(.stub(side: .enemy))]

        let moments = Collisions.resolve([bullet] + ships)

        #expect(moments == [.shipHit(side: .enemy, livesLeft: 2)])
        #expect(ships.map(\.lives) == [2, 3])
    }

    @Test func `two bullets of different sides destroy each other`() {
        let bullets = [Bullet.stub(side: .player), Bullet.stub(side: .enemy)]

        _ = Collisions.resolve(bullets)

        #expect(bullets.map(\.isFlying) == [false, false])
    }
}

@Suite struct EnemyCommandTests {
    @Test func `enemies shoot more often on a higher level`() {
        let shots = [1, 4].map { level in
            var command = EnemyCommand(random: SplitMix64(seed: 3))
            return (0..<10_000).filter { _ in command.fires(at: level) }.count
        }

        #expect(shots[0] > 0)
        #expect(shots[1] > 2 * shots[0])
    }
}

@Suite struct SplitMix64Tests {
    @Test func `the sequence is the published one`() {
        var random = SplitMix64(seed: 1_234_567)

        let numbers = (0..<3).map { _ in random.next() }

        #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }

    @Test func `a number is in its range`() {
        var random = SplitMix64(seed: 0)

        let numbers = (0..<1_000).map { _ in random.number(from: -6, to: 6) }

        #expect(numbers.allSatisfy { (-6.0..<6.0).contains($0) })
    }
}
