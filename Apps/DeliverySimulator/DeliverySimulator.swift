import EventDeliverySimulation
import Foundation
import OptionParsing

/// A program that runs the engine under simulation.
///
/// Run it with `Scripts/simulate`, which makes the order of hash tables the same in each process. A seed then always
/// gives the same run.
@main
enum DeliverySimulator {
    static func main() {
        exit(SimulatorRun(SimulatorOptions.ofProcess()).run() ? 0 : 1)
    }
}

/// A run of several seeds, with a report of the results.
struct SimulatorRun {
    private let options: SimulatorOptions

    init(_ options: SimulatorOptions) {
        self.options = options
    }

    /// Runs the requested seeds.
    ///
    /// Returns whether every promise was kept.
    func run() -> Bool {
        if let seed = options.hash {
            let outcome = options.run(seed)
            print(String(outcome.hash, radix: 16), outcome.steps)
            return outcome.violations.isEmpty
        }
        if let seed = options.replay { return replay(seed) }
        return runFresh()
    }

    private func runFresh() -> Bool {
        let first = options.seed ?? UInt64(Date().timeIntervalSince1970) << 20
        let last = options.seeds.map { first + $0 } ?? .max
        let start = ContinuousClock.now
        let end = start + .seconds(60 * (options.minutes ?? 1_000_000))
        var (seed, steps, coverage, lastReport) = (first, 0, Coverage(), start)
        var broken: [Promise: (count: Int, seed: UInt64)] = [:]
        while seed < last, .now < end {
            let outcome = options.run(seed)
            steps += outcome.steps
            coverage.add(outcome.coverage)
            for violation in outcome.violations {
                broken[violation.promise, default: (0, seed)].count += 1
                print("seed \(seed): \(violation)")
            }
            seed += 1
            if options.stopsWhenBroken, let violation = outcome.violations.first {
                print("found|\(seed - first)|\(violation.promise.rawValue)")
                return false
            }
            if lastReport.duration(to: .now) > .seconds(10) {
                lastReport = .now
                printProgress(seeds: seed - first, steps: steps, since: start)
            }
        }
        printProgress(seeds: seed - first, steps: steps, since: start)
        if !options.isQuiet { print(coverage.table) }
        for (promise, found) in broken.sorted(by: { $0.value.count > $1.value.count }) {
            print("BROKEN by \(found.count) seeds, first by \(found.seed): \(promise.rawValue)")
        }
        // The first failed seed is run again with a full log.
        if let seed = broken.values.map(\.seed).min() { _ = replay(seed) }
        return broken.isEmpty
    }

    private func printProgress(seeds: UInt64, steps: Int, since start: ContinuousClock.Instant) {
        let seconds = start.duration(to: .now) / .seconds(1)
        print(
            "\(seeds) seeds in \(Int(seconds)) s: \(Int(Double(seeds) / seconds)) runs/s, "
                + "\(Int(Double(steps) / seconds)) steps/s"
        )
        fflush(nil)
    }

    private func replay(_ seed: UInt64) -> Bool {
        let story = options.story(of: seed)
        let outcome = World.run(seed: seed, story: story)
        guard let first = outcome.violations.first else {
            print("seed \(seed) keeps every promise: \(outcome.steps) steps, \(story.count) operations")
            return true
        }
        print("seed \(seed):")
        for violation in outcome.violations { print("  \(violation)") }
        let shrinker = Shrinker(seed: seed, story: story, strategy: World.strategy(of: seed), breaking: first.promise)
        let short = World.run(seed: seed, story: shrinker.story, strategy: shrinker.strategy, isLogged: true)
        print("\(story.count) operations, of which \(shrinker.story.count) are needed (\(shrinker.runs) runs):")
        for life in shrinker.story.lives where life.settings != Settings() { print("  \(life.settings)") }
        for line in short.log { print("  " + line) }
        for violation in short.violations { print("  \(violation)") }
        let kind = (options.storage == .memory ? " --memory" : "") + (options.hasFaults ? "" : " --no-faults")
        print("to run it again: Scripts/simulate --replay \(seed)\(kind)")
        return false
    }
}
