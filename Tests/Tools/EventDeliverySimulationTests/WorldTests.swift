import CoreTracker
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

    @Test func `fresh stories on a failing disk keep every promise`() {
        for seed: UInt64 in 0..<40 {
            let outcome = World.run(seed: seed, story: Story(seed: seed, storage: .sqlite))

            #expect(outcome.violations.isEmpty, "seed \(seed)")
        }
    }

    @Test func `a process finds the directory in use until the earlier one has released it`() {
        let steps = [Story.Step(pause: 1_000, operation: .trackForReceipt(lane: 0, TrackOptions()))]
        var story = Story.stored([[], steps], length: 5_000_000_000)
        (story.lives[0].ending, story.lives[0].holdsDirectory) = (.kill, 1_500_000_000)

        let outcome = World.run(seed: 1, story: story, isLogged: true)
        let free = outcome.log.firstIndex { $0.contains("the directory is free") }
        let receipt = outcome.log.firstIndex { $0.contains("receipt of 0: stored") }

        #expect(outcome.violations.isEmpty)
        #expect(free != nil && receipt != nil)
        #expect(free ?? 0 < receipt ?? 0)
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

@Suite struct ShrinkerTests {
    @Test func `a story is cut to the operation that breaks the promise`() {
        // A life without end breaks the promise that every call returns, because the engine is never opened.
        var settings = Settings()
        settings.opensAfter = .max / 4
        let other = (0..<20).map { _ in Story.Step(pause: 1_000, operation: .identify(user: 1)) }
        let story = Story(settings: settings, [other, [Story.Step(pause: 0, operation: .startSession)]])
        let broken = World.run(seed: 1, story: story).violations.first?.promise

        let shrinker = Shrinker(seed: 1, story: story, strategy: .uniform, breaking: .returns)

        #expect(broken == .returns)
        #expect(shrinker.story.count == 0)
        #expect(shrinker.strategy == .firstCome)
        #expect(shrinker.runs > 1)
    }
}
