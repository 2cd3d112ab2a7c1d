import EventDeliverySimulation
import Foundation
import Locks
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
        return options.printsJSON ? runHere() : runFresh()
    }

    /// Runs the seeds in this process, and prints their results.
    private func runHere() -> Bool {
        let first = options.seed ?? 0
        let results = SeedResults(of: first..<first + (options.seeds ?? 1), options)
        guard let data = try? JSONEncoder().encode(results) else { return false }
        print(String(decoding: data, as: UTF8.self))
        return results.firstFailure == nil
    }

    /// Runs blocks of seeds, several at the same time.
    private func runFresh() -> Bool {
        let first = options.seed ?? UInt64(Date().timeIntervalSince1970) << 20
        let progress = Mutex(Progress(first: first, last: options.seeds.map { first + $0 } ?? .max, options))
        DispatchQueue.concurrentPerform(iterations: options.processes) { _ in
            while let block = progress.withLock({ $0.next() }) {
                let results = block.run(options)
                progress.withLock { $0.add(results) }
            }
        }
        let results = progress.withLock { progress in
            progress.show()
            return progress.results
        }
        guard let failed = results.firstFailure else {
            if !options.isQuiet { print(results.coverage.table) }
            return true
        }
        if options.stopsWhenBroken {
            let promise = results.broken.first { $0.seed == failed }?.violations.first?.promise.rawValue
            print("found|\(failed - first + 1)|\(promise ?? "the process does not crash")")
            return false
        }
        if !options.isQuiet { print(results.coverage.table) }
        let promises = results.broken.flatMap { found in found.violations.map { (found.seed, $0.promise) } }
        let found = Dictionary(grouping: promises, by: \.1)
        for (promise, found) in found.sorted(by: { $0.value.count > $1.value.count }) {
            let seed = found.map(\.0).min() ?? failed
            print("BROKEN by \(found.count) seeds, first by \(seed): \(promise.rawValue)")
        }
        // The first failed seed is run again with a full log.
        return replay(failed)
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
        print("to run it again: \((["Scripts/simulate --replay \(seed)"] + options.kind).joined(separator: " "))")
        return false
    }
}

/// The progress of a run of several processes.
private struct Progress {
    private let options: SimulatorOptions
    private let last: UInt64
    private let start = ContinuousClock.now
    private var seed: UInt64
    private var shown = ContinuousClock.now
    private(set) var results = SeedResults()

    init(first: UInt64, last: UInt64, _ options: SimulatorOptions) {
        (seed, self.last, self.options) = (first, last, options)
    }

    /// Returns the next block, or `nil` at the end of the run.
    mutating func next() -> SeedBlock? {
        let isOver = options.minutes.map { start.duration(to: .now) > .seconds(60 * $0) } ?? false
        guard seed < last, !isOver, results.firstFailure == nil || !options.stopsWhenBroken else { return nil }
        defer { seed += min(SeedBlock.size, last - seed) }
        return SeedBlock(seeds: seed..<seed + min(SeedBlock.size, last - seed))
    }

    /// Adds the results of a block, and prints its failures.
    mutating func add(_ block: SeedResults) {
        results.add(block)
        for line in block.failures { print(line) }
        if shown.duration(to: .now) > .seconds(10) { show() }
    }

    /// Prints the progress.
    mutating func show() {
        shown = .now
        let seconds = start.duration(to: shown) / .seconds(1)
        print(
            "\(results.seeds) seeds in \(Int(seconds)) s: \(Int(Double(results.seeds) / seconds)) runs/s, "
                + "\(Int(Double(results.steps) / seconds)) steps/s"
        )
        fflush(nil)
    }
}
