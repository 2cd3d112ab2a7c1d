import Testing

@testable import TrackerBenchmark

@Suite struct SpreadTests {
    @Test func `a spread has the median, the minimum and the maximum`() throws {
        let spread = try #require(Spread([9, 1, 4]))

        #expect(spread.median == 4 && spread.least == 1 && spread.most == 9)
    }

    @Test func `the median of an even number of values is the upper middle one`() {
        #expect(Spread([4, 1, 3, 2])?.median == 3)
    }

    @Test func `there is no spread without values`() {
        #expect(Spread([]) == nil)
    }
}
