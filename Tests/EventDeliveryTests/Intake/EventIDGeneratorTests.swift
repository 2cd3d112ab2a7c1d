import EventDeliveryTesting
import Testing

@testable import EventDelivery

@Suite struct EventIDGeneratorTests {
    @Test func `ids are version 7, of their moment, and strictly increasing within it`() {
        var random = SeededGenerator(seed: 1)
        var generator = EventIDGenerator(seed: &random)
        let time = Timestamp(microseconds: 1_772_359_200_123_456)

        let ids = (1...10_000).map { _ in generator.next(at: time) }

        #expect(ids[0].high >> 16 == 1_772_359_200_123)
        #expect(ids.allSatisfy { $0.high >> 12 & 0xF == 7 && $0.low >> 62 == 2 })
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(ids.map(\.low)).count == ids.count)
    }

    @Test(arguments: [Int64(0), -5_000_000, .min])
    func `a clock that steps back does not take the ids with it`(microseconds: Int64) {
        var random = SeededGenerator(seed: 1)
        var generator = EventIDGenerator(seed: &random)
        let first = generator.next(at: Timestamp(microseconds: 1_772_359_200_000_000))

        let second = generator.next(at: Timestamp(microseconds: microseconds))

        #expect(first < second)
    }
}
