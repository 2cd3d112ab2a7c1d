import Testing

@testable import SFGame

@Suite struct MovingHandlerTests {
    @Test func `a position in x and y moves by the velocity and the time`() {
        var motion = MovingHandler.stub(velocity: SFVector(x: 2, y: -4))

        motion.advance(by: 0.5)

        #expect(motion.position == SFVector(x: 6, y: 3))
    }

    @Test func `a character stays at a stopping edge`() {
        var motion = MovingHandler.stub(velocity: SFVector(x: 20, y: 0), edge: StoppingEdge())

        motion.advance(by: 1)

        #expect(motion.position == SFVector(x: 10, y: 5))
        #expect(motion.velocity == SFVector(x: 20, y: 0))
    }

    @Test func `a character reverses its direction at a bouncing edge`() {
        var motion = MovingHandler.stub(velocity: SFVector(x: 20, y: 1), edge: BouncingEdge())

        motion.advance(by: 1)

        #expect(motion.position == SFVector(x: 10, y: 6))
        #expect(motion.velocity == SFVector(x: -20, y: 1))
    }

    @Test func `a character with an open edge leaves the board`() {
        var motion = MovingHandler.stub(velocity: SFVector(x: 20, y: 0))

        motion.advance(by: 1)

        #expect(!motion.isInside)
    }
}

@Suite struct BouncingEdgeTests {
    private let bounds = Bounds(minimum: .zero, maximum: SFVector(x: 10, y: 10))

    @Test(arguments: [
        (SFVector(x: 11, y: 5), SFVector(x: 10, y: 5), SFVector(x: -1, y: 1)),
        (SFVector(x: -1, y: 12), SFVector(x: 0, y: 10), SFVector(x: -1, y: -1)),
        (SFVector(x: 10, y: 0), SFVector(x: 10, y: 0), SFVector(x: 1, y: 1)),
    ])
    func `a character beyond a bouncing edge is moved to the edge and reversed`(
        from: SFVector,
        to: SFVector,
        velocity: SFVector
    ) {
        var position = from
        var turned = SFVector(x: 1, y: 1)

        BouncingEdge().apply(&position, &turned, in: bounds)

        #expect(position == to)
        #expect(turned == velocity)
    }

    @Test func `a stopping edge keeps the velocity, an open edge changes nothing`() {
        var position = SFVector(x: 11, y: 5)
        var velocity = SFVector(x: 1, y: 1)

        OpenEdge().apply(&position, &velocity, in: bounds)
        #expect(!bounds.contains(position))

        StoppingEdge().apply(&position, &velocity, in: bounds)
        #expect(bounds.contains(position))
        #expect(velocity == SFVector(x: 1, y: 1))
    }
}

@Suite struct ShootingHandlerTests {
    @Test func `a gun has two bullets in flight and no third one`() {
        var gun = ShootingHandler(side: .player, limit: 2, velocity: SFVector(x: 0, y: -2), bounds: .stub)

        let bullets = (0..<3).map { _ in gun.shoot(from: SFVector(x: 5, y: 5)) }

        #expect(bullets.map { $0 != nil } == [true, true, false])
    }

    @Test func `after a bullet has left the board, another one can be fired`() {
        var gun = ShootingHandler(side: .player, limit: 1, velocity: SFVector(x: 0, y: -2), bounds: .stub)
        let first = gun.shoot(from: SFVector(x: 5, y: 5))

        first?.advance(by: 10)

        let second = gun.shoot(from: SFVector(x: 5, y: 5))
        #expect(second != nil)
    }

    @Test func `a bullet starts in front of the gun and keeps flying`() {
        var gun = ShootingHandler(side: .enemy, limit: 1, velocity: SFVector(x: 0, y: 2), bounds: .stub)

        let bullet = gun.shoot(from: SFVector(x: 5, y: 5))

        #expect(bullet.map { $0.position.y > 5 } == true)
        #expect(bullet?.velocity == SFVector(x: 0, y: 2))
        #expect(bullet?.side == .enemy)
    }
}

@Suite struct CollisionHandlerTests {
    @Test(arguments: [(1.0, true), (1.2, false)])
    func `characters touch within their radii`(distance: Double, touches: Bool) {
        let ship = CollidingShip(.stub(side: .player))
        let bullet = Bullet.stub(side: .enemy, motion: .stub(position: SFVector(x: 5 + distance, y: 5)))

        #expect(CollisionHandler.touch(ship, bullet) == touches)
    }

    @Test func `characters of one side do not collide`() {
        #expect(!CollisionHandler.touch(CollidingShip(.stub(side: .enemy)), Bullet.stub(side: .enemy)))
    }
}

@Suite struct LivesHandlerTests {
    @Test func `lives decrease one by one, and never below zero`() {
        var lives = LivesHandler(2)

        let counts = (0..<3).map { _ in
            lives.lose()
            return lives.count
        }

        #expect(counts == [1, 0, 0])
    }

    @Test func `a negative number of lives counts as zero`() {
        #expect(LivesHandler(-1).count == 0)
    }
}
