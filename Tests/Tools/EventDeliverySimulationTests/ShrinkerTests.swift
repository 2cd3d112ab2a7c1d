import CoreTracker
import Testing

@testable import EventDeliverySimulation

@Suite struct ShrinkerTests {
    @Test func `a story is cut to the operation that breaks the promise`() {
        // A life without end breaks the promise that every call returns: nobody ever opens the engine.
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
