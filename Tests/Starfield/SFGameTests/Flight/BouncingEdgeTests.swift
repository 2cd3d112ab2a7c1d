import Testing

@testable import SFGame

@Suite struct BouncingEdgeTests {
    private let bounds = Bounds(minimum: .zero, maximum: SFVector(x: 10, y: 10))

    @Test(arguments: [
        (SFVector(x: 11, y: 5), SFVector(x: 10, y: 5), SFVector(x: -1, y: 1)),
        (SFVector(x: -1, y: 12), SFVector(x: 0, y: 10), SFVector(x: -1, y: -1)),
        (SFVector(x: 10, y: 0), SFVector(x: 10, y: 0), SFVector(x: 1, y: 1)),
    ])
    func `what flies beyond an edge is put on it and turned back there`(
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
