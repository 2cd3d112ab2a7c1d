import Testing

@testable import SFGame

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
