import EventDeliverySimulation
import Foundation

/// The results of seeds.
struct SeedResults: Codable {
    /// A seed that breaks a promise.
    struct Broken: Codable {
        let seed: UInt64
        let violations: [Violation]
    }

    /// The number of seeds.
    private(set) var seeds: UInt64 = 0
    private(set) var steps = 0
    private(set) var coverage = Coverage()
    /// The seeds that break a promise.
    private(set) var broken: [Broken] = []
    /// The seeds whose process ended without a result.
    private(set) var crashed: [UInt64] = []

    /// Runs seeds in this process.
    ///
    /// With `--until-broken`, it ends at the first seed that breaks a promise.
    init(of range: Range<UInt64>, _ options: SimulatorOptions) {
        for seed in range {
            let outcome = options.run(seed)
            seeds += 1
            steps += outcome.steps
            coverage.add(outcome.coverage)
            if !outcome.violations.isEmpty { broken.append(Broken(seed: seed, violations: outcome.violations)) }
            if options.stopsWhenBroken, !broken.isEmpty { return }
        }
    }

    /// Creates the results of no seed.
    init() {}

    /// Creates the result of a seed whose process has crashed.
    init(crashed seed: UInt64) {
        (seeds, crashed) = (1, [seed])
    }

    /// Adds the results of other seeds.
    mutating func add(_ other: SeedResults) {
        seeds += other.seeds
        steps += other.steps
        coverage.add(other.coverage)
        broken += other.broken
        crashed += other.crashed
    }

    /// The first seed that breaks a promise or crashes, or `nil` if there is none.
    var firstFailure: UInt64? { (broken.map(\.seed) + crashed).min() }

    /// A line for each broken promise, and for each crash.
    var failures: [String] {
        broken.flatMap { found in found.violations.map { "seed \(found.seed): \($0)" } }
            + crashed.map { "seed \($0): the process has crashed" }
    }
}

/// Consecutive seeds that run in a process of their own.
///
/// The tasks of a killed process of a story never end, so they keep their memory. It is free at the end of the block.
struct SeedBlock {
    /// The number of seeds in a block.
    static let size: UInt64 = 200

    let seeds: Range<UInt64>

    /// Runs the block.
    ///
    /// If the process crashes, each seed runs again in a process of its own.
    func run(_ options: SimulatorOptions) -> SeedResults {
        if let results = results(options) { return results }
        if seeds.count == 1 { return SeedResults(crashed: seeds.lowerBound) }
        return seeds.reduce(into: SeedResults()) { sum, seed in
            sum.add(SeedBlock(seeds: seed..<seed + 1).run(options))
        }
    }

    /// Returns the results of a child process, or `nil` if it has crashed.
    private func results(_ options: SimulatorOptions) -> SeedResults? {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments =
            ["--json", "--seed", "\(seeds.lowerBound)", "--seeds", "\(seeds.count)"] + options.kind
            + (options.isQuiet ? ["--quiet"] : []) + (options.stopsWhenBroken ? ["--until-broken"] : [])
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        guard (try? process.run()) != nil, let data = try? output.fileHandleForReading.readToEnd() else { return nil }
        process.waitUntilExit()
        return try? JSONDecoder().decode(SeedResults.self, from: data)
    }
}
