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
