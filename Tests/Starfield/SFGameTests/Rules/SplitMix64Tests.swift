import Testing

@testable import SFGame

@Suite struct SplitMix64Tests {
    @Test func `the sequence is the published one`() {
        var random = SplitMix64(seed: 1_234_567)

        let numbers = (0..<3).map { _ in random.next() }

        #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }

    @Test func `a number is in its range`() {
        var random = SplitMix64(seed: 0)

        let numbers = (0..<1_000).map { _ in random.number(from: -6, to: 6) }

        #expect(numbers.allSatisfy { (-6.0..<6.0).contains($0) })
    }
}
