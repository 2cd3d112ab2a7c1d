import Testing

@testable import SFGame

@Suite struct SFOrderTests {
    @Test(arguments: [(0.5, 0.5), (7, 1), (-.infinity, -1), (.nan, 0)])
    func `a heading is clamped`(share: Double, clamped: Double) {
        let order = SFOrder(heading: SFVector(x: share, y: share))

        #expect(order.clampedHeading == SFVector(x: clamped, y: clamped))
    }
}
