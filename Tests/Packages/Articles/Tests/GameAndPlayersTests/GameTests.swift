import SFGame
import Testing

/// A character that the game does not know: it has a position and lives, and no velocity.
final class Beacon: Living {
    let position = SFVector.zero
    let lives = 9
    let isFlying = true

    func register(in roster: inout Roster) {
        roster.flying.append(self)
        roster.living.append(self)
    }
}

@Suite struct GameTests {
    private let bounds = Bounds(minimum: .zero, maximum: SFVector(x: 60, y: 20))

    private func makeShip(lives: Int = 3) -> Ship {
        Ship(
            side: .player,
            lives: LivesHandler(lives),
            motion: MovingHandler(position: SFVector(x: 10, y: 10), bounds: bounds, edge: StoppingEdge()),
            gun: ShootingHandler(side: .player, limit: 2, velocity: SFVector(x: 0, y: -24), bounds: bounds)
        )
    }

    @Test func `a ship has a handler each for lives, movement and shots`() {
        let ship = makeShip()

        ship.loseLife()
        ship.steer(SFVector(x: 5, y: 0))
        ship.advance(by: 2)

        #expect(ship.lives == 2)
        #expect(ship.position == SFVector(x: 20, y: 10))
        #expect((1...3).compactMap { _ in ship.shoot() }.count == 2)
    }

    @Test func `a ship collides without a change of the plain ship`() {
        let ship = CollidingShip(makeShip(lives: 1))

        #expect(ship.collide() == [.shipHit(side: .player, livesLeft: 0), .shipDestroyed(side: .player)])
        #expect(!ship.isFlying)
    }

    @Test func `a game lists its characters, their lives and their velocities`() {
        let game = Game()
        game.openFire()

        #expect(game.characters.count == 61)
        #expect(game.lives == [3] + [Int](repeating: 2, count: 20) + [Int](repeating: 1, count: 40))
        #expect(game.velocities.count == 61)
    }

    @Test func `a character without a velocity is not in the list of velocities`() {
        let game = Game()

        game.add(Beacon())

        #expect(game.characters.count == 22)
        #expect(game.lives.last == 9)
        #expect(game.velocities.count == 21)
    }
}
