import EventDeliveryTesting
import Testing

@testable import EventTracking

@Suite(.timeLimit(.minutes(5))) struct EventIDGeneratorTests {
    @Test func `ids are version 7 with the event's time, and strictly increase`() {
        var random = SeededGenerator(seed: 1)
        let generator = EventIDGenerator(seed: &random)
        let time = Timestamp(microseconds: 1_772_359_200_123_456)

        let ids = (1...10_000).map { _ in generator.next(at: time) }

        #expect(ids[0].high >> 16 == 1_772_359_200_123)
        #expect(ids.allSatisfy { $0.high >> 12 & 0xF == 7 && $0.low >> 62 == 2 })
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(ids.map(\.low)).count == ids.count)
    }

    @Test(arguments: [Int64(0), -5_000_000, .min])
    func `ids increase even if the clock is set back`(microseconds: Int64) {
        var random = SeededGenerator(seed: 1)
        let generator = EventIDGenerator(seed: &random)
        let first = generator.next(at: Timestamp(microseconds: 1_772_359_200_000_000))

        let second = generator.next(at: Timestamp(microseconds: microseconds))

        #expect(first < second)
    }

    @Test func `ids increase even after the largest possible time`() {
        var random = SeededGenerator(seed: 1)
        let generator = EventIDGenerator(seed: &random)

        let ids = (1...10_000).map { _ in generator.next(at: Timestamp(microseconds: .max)) }

        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ids.allSatisfy { $0 <= generator.latest })
    }

    @Test func `concurrent threads get different ids, each thread in increasing order`() async {
        var random = SeededGenerator(seed: 1)
        let generator = EventIDGenerator(seed: &random)
        let time = Timestamp(microseconds: 1_772_359_200_123_456)

        let runs = await withTaskGroup(of: [EventID].self) { group in
            for _ in 1...4 { group.addTask { (1...5_000).map { _ in generator.next(at: time) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }

        #expect(runs.allSatisfy { ids in zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 } })
        #expect(Set(runs.joined()).count == 20_000)
    }

    @Test func `generators with different keys create different ids for the same time`() {
        let ids = (1...1_000).map { seed in
            var random = SeededGenerator(seed: UInt64(seed))
            return EventIDGenerator(seed: &random).next(at: Timestamp(microseconds: 1_772_359_200_123_456))
        }

        #expect(Set(ids.map(\.high)).count == 1)
        #expect(Set(ids.map(\.low)).count == 1_000)
    }
}
