import EventDelivery
import Testing

@testable import EventDeliverySimulation

@Suite struct WorldTests {
    @Test func `fresh stories keep every promise`() {
        for seed: UInt64 in 0..<150 {
            let outcome = World.run(seed: seed, story: Story(seed: seed, storage: .memory))

            #expect(outcome.violations.isEmpty, "seed \(seed)")
        }
    }

    @Test func `the same seed runs the same steps, and another one others`() {
        let hashes = [5, 5, 6].map { (seed: UInt64) in
            World.run(seed: seed, story: Story(seed: seed, storage: .memory)).hash
        }

        #expect(hashes[0] == hashes[1])
        #expect(hashes[1] != hashes[2])
    }

    @Test func `a log changes nothing`() {
        let story = Story(seed: 3, storage: .memory)

        let (silent, told) = (World.run(seed: 3, story: story), World.run(seed: 3, story: story, isLogged: true))

        #expect(silent.hash == told.hash)
        #expect(silent.log.isEmpty && !told.log.isEmpty)
    }

    @Test func `the schedule depends on the strategy, the story does not`() {
        let story = Story(seed: 9, storage: .memory)

        let hashes = [Scheduler.Strategy.uniform, .firstCome, .priorities(changes: 3, horizon: 500)]
            .map { World.run(seed: 9, story: story, strategy: $0).hash }

        #expect(Set(hashes).count == 3)
    }

    @Test func `operations meet faults`() {
        var coverage = Coverage()
        for seed: UInt64 in 0..<60 {
            coverage.add(World.run(seed: seed, story: Story(seed: seed, storage: .memory)).coverage)
        }

        #expect(coverage.counts.count > 15)
        #expect(coverage.counts["flush"]?["unknown"] ?? 0 > 0)
        #expect(coverage.table.contains("| flush |"))
    }
}
