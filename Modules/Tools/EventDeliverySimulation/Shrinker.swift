/// A shrinker for failing stories.
///
/// It first removes lives, then operations, and finally simplifies the schedule.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package struct Shrinker {
    private let seed: UInt64
    private let promise: Promise
    /// The shortest story so far that breaks the promise.
    package private(set) var story: Story
    /// The strategy with which it breaks the promise.
    package private(set) var strategy: Scheduler.Strategy
    /// The number of runs.
    package private(set) var runs = 0

    /// Shrinks a story that breaks a promise.
    ///
    /// - Parameters:
    ///   - seed: The seed of the run.
    ///   - story: The story.
    ///   - strategy: The strategy of the run.
    ///   - promise: The broken promise. Each shorter story must break it too.
    package init(seed: UInt64, story: Story, strategy: Scheduler.Strategy, breaking promise: Promise) {
        self.seed = seed
        self.promise = promise
        self.story = story
        self.strategy = strategy
        shrinkLives()
        shrinkOperations()
        shrinkCounts()
        if fails(story, .firstCome) { self.strategy = .firstCome }
    }

    private mutating func fails(_ candidate: Story, _ strategy: Scheduler.Strategy) -> Bool {
        runs += 1
        return World.run(seed: seed, story: candidate, strategy: strategy).violations.contains {
            $0.promise == promise
        }
    }

    private mutating func keep(_ candidate: Story) -> Bool {
        guard fails(candidate, strategy) else { return false }
        story = candidate
        return true
    }

    private mutating func shrinkLives() {
        var number = 0
        // With SQLite, the last life only delivers the remaining events.
        let rest = story.storage == .sqlite ? 1 : 0
        while story.lives.count > 1, number < story.lives.count - rest {
            var candidate = story
            candidate.lives.remove(at: number)
            if !keep(candidate) { number += 1 }
        }
        for number in story.lives.indices {
            var candidate = story
            candidate.lives[number].settings = Settings()
            if keep(candidate) { continue }
            candidate = story
            candidate.lives[number].settings.opensAfter = 0
            _ = keep(candidate)
        }
    }

    /// Removes smaller and smaller ranges of operations (ddmin).
    private mutating func shrinkOperations() {
        var size = max(1, story.count / 2)
        while size >= 1 {
            var start = 0
            while start < story.count {
                if !keep(story.leavingOut(start..<(start + size))) { start += size }
            }
            size /= 2
        }
        var candidate = story
        for life in candidate.lives.indices { candidate.lives[life].callers.removeAll(where: \.isEmpty) }
        _ = keep(candidate)
    }

    private mutating func shrinkCounts() {
        for life in story.lives.indices {
            for caller in story.lives[life].callers.indices {
                for step in story.lives[life].callers[caller].indices {
                    guard
                        case .track(let lane, let count, let options, let payload, let scope) =
                            story.lives[life].callers[caller][step].operation
                    else { continue }
                    for fewer in [1, 2, 5, 30] where fewer < count {
                        var candidate = story
                        candidate.lives[life].callers[caller][step].operation =
                            .track(lane: lane, count: fewer, options, payload, scope: scope)
                        if keep(candidate) { break }
                    }
                }
            }
        }
    }
}

extension Story {
    /// Returns the story without a range of operations, counted over all lives and callers.
    fileprivate func leavingOut(_ range: Range<Int>) -> Story {
        var (result, number) = (self, 0)
        for life in lives.indices {
            for caller in lives[life].callers.indices {
                var kept: [Step] = []
                var pause: Int64 = 0
                for step in lives[life].callers[caller] {
                    defer { number += 1 }
                    // Later operations keep their time.
                    guard !range.contains(number) else {
                        pause += step.pause
                        continue
                    }
                    kept.append(Step(pause: step.pause + pause, operation: step.operation))
                    pause = 0
                }
                result.lives[life].callers[caller] = kept
            }
        }
        return result
    }
}
