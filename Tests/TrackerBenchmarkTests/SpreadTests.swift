import Testing

@testable import TrackerBenchmark

@Suite struct SpreadTests {
    @Test func `the middle value stands with the least and the most`() throws {
        let spread = try #require(Spread([9, 1, 4]))

        #expect(spread.median == 4 && spread.least == 1 && spread.most == 9)
    }

    @Test func `of an even number of values the upper middle one is taken`() {
        #expect(Spread([4, 1, 3, 2])?.median == 3)
    }

    @Test func `there is no spread of nothing`() {
        #expect(Spread([]) == nil)
    }
}
