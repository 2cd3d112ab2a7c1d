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
