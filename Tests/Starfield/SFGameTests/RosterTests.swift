import Testing

@testable import SFGame

@Suite struct RosterTests {
    @Test func `each character is listed under its capabilities`() {
        var roster = Roster()

        for object in [Beacon(), Bullet.stub(), Ship.stub(), CollidingShip(.stub())] as [any GameObject] {
            roster.add(object)
        }

        #expect(roster.flying.count == 4)
        #expect(roster.moving.count == 3)
        #expect(roster.living.count == 3)
        #expect(roster.shooting.count == 2)
        #expect(roster.colliding.count == 2)
    }

    @Test func `only characters with a velocity are listed as moving`() {
        var roster = Roster()
        roster.add(Beacon())
        roster.add(Ship.stub(motion: .stub(velocity: SFVector(x: 1, y: 2))))

        #expect(roster.moving.map(\.velocity) == [SFVector(x: 1, y: 2)])
    }

    @Test func `removed characters are in no list`() {
        var roster = Roster()
        let ship = CollidingShip(.stub(lives: 1))
        roster.add(ship)

        _ = ship.collide()
        roster.removeGone()

        #expect(roster.flying.isEmpty && roster.moving.isEmpty && roster.living.isEmpty)
        #expect(roster.shooting.isEmpty && roster.colliding.isEmpty)
    }
}

extension MovingHandler {
    /// A character that moves on a board of ten by ten cells.
    static func stub(
        position: SFVector = SFVector(x: 5, y: 5),
        velocity: SFVector = .zero,
        edge: any Edge = OpenEdge()
    ) -> MovingHandler {
        MovingHandler(position: position, velocity: velocity, bounds: .stub, edge: edge)
    }
}

extension Bounds {
    /// A board of ten by ten cells.
    static let stub = Bounds(minimum: .zero, maximum: SFVector(x: 10, y: 10))
}

extension Ship {
    /// A plain ship in the middle of a board of ten by ten cells, with two bullets that fly upwards.
    static func stub(side: SFSide = .player, lives: Int = 3, motion: MovingHandler = .stub()) -> Ship {
        let gun = ShootingHandler(side: side, limit: 2, velocity: SFVector(x: 0, y: -2), bounds: .stub)
        return Ship(side: side, lives: LivesHandler(lives), motion: motion, gun: gun)
    }
}

extension Bullet {
    /// A motionless bullet, in the middle of a board of ten by ten cells.
    static func stub(side: SFSide = .enemy, motion: MovingHandler = .stub()) -> Bullet {
        Bullet(motion: motion, collision: CollisionHandler(side: side, radius: Bullet.radius))
    }
}

/// A character of a type unknown to the game, with no capabilities.
final class Beacon: GameObject {
    let position = SFVector(x: 3, y: 4)
    let isFlying = true

    func register(in roster: inout Roster) {
        roster.flying.append(self)
    }
}
