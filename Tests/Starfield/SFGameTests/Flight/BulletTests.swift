import Testing

@testable import SFGame

@Suite struct BulletTests {
    @Test func `a bullet disappears when it hits, without reporting a moment`() {
        let bullet = Bullet.stub()

        let moments = bullet.collide()

        #expect(moments.isEmpty)
        #expect(!bullet.isFlying)
    }

    @Test func `a bullet disappears when it leaves the board`() {
        let bullet = Bullet.stub(motion: .stub(velocity: SFVector(x: 0, y: 4)))

        bullet.advance(by: 2)

        #expect(!bullet.isFlying)
        #expect(bullet.lives == 1)
    }
}
