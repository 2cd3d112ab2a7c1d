import Testing

@testable import TrackerBenchmark

@Suite struct PercentilesTests {
    @Test(arguments: [(0.5, 500.0), (0.99, 990), (0.999, 999), (1, 1_000), (0, 1)])
    func `a percentile is the smallest value that the share does not exceed`(share: Double, value: Double) {
        var percentiles = Percentiles()
        for number in (1...1_000).shuffled() { percentiles.add(Int64(number)) }

        percentiles.sort()

        #expect(percentiles.value(at: share) == value)
    }

    @Test func `collections add up`() {
        var (all, more) = (Percentiles(), Percentiles())
        all.add(3)
        more.add(1)

        all.add(more)
        all.sort()

        #expect(all.values == [1, 3])
    }

    @Test func `without values every percentile is 0`() {
        #expect(Percentiles().value(at: 0.5) == 0)
    }
}
