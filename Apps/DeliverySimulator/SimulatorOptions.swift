import EventDeliverySimulation
import Foundation
import OptionParsing

/// The options of the command line.
struct SimulatorOptions: ProgramOptions {
    static let program = "simulate"
    static let help = """
        Scripts/simulate [--minutes N] [--seeds N] [--seed S] [--memory] [--no-faults] [--processes N] [--quiet]
        Scripts/simulate --replay S [--memory] [--no-faults]
          --minutes N  runs new seeds for N minutes; 1 by default, without --seeds
          --seeds N    runs N seeds
          --seed S     starts with seed S instead of one from the clock
          --memory     keeps events in memory, in one process, without a simulated disk; several times as fast
          --no-faults  disables faults of network, disk and clock, and kills
          --replay S   runs one seed, reduces it if it breaks a guarantee, and prints its operations
          --hash S     prints a hash of the run, to compare two runs of a seed
          --until-broken  ends at the first seed that breaks a guarantee, and prints it
          --processes N  runs N processes at the same time, but no more than there are cores, which is the default
          --quiet      prints no coverage table
          --json       runs the seeds in one process, and prints their results as a line of JSON
        """

    var minutes: Double?
    var seeds: UInt64?
    var seed: UInt64?
    var replay: UInt64?
    var hash: UInt64?
    var storage = Story.Storage.sqlite
    var hasFaults = true
    var processes = ProcessInfo.processInfo.activeProcessorCount
    var isQuiet = false
    var printsJSON = false
    var stopsWhenBroken = false

    init(_ words: [String]) throws(UsageError) {
        var reader = OptionReader(words)
        while let word = try reader.next() {
            switch word {
            case "--minutes": minutes = try reader.number(in: 0...1_000_000)
            case "--seeds": seeds = try reader.number(in: 0...UInt64.max / 2)
            case "--seed": seed = try reader.number(in: 0...UInt64.max / 2)
            case "--replay": replay = try reader.number(in: 0...UInt64.max)
            case "--hash": hash = try reader.number(in: 0...UInt64.max)
            case "--memory": storage = .memory
            case "--no-faults": hasFaults = false
            case "--processes": processes = try reader.number(in: 1...1_000)
            case "--quiet": isQuiet = true
            case "--json": printsJSON = true
            case "--until-broken": stopsWhenBroken = true
            default: throw reader.unknown
            }
        }
        if minutes == nil, seeds == nil { minutes = 1 }
        guard !printsJSON || seeds != nil else { throw UsageError("--json needs --seeds") }
    }

    /// The options that change the run of a seed, as words.
    var kind: [String] { (storage == .memory ? ["--memory"] : []) + (hasFaults ? [] : ["--no-faults"]) }

    /// Runs a seed.
    func run(_ seed: UInt64) -> World.Outcome {
        World.run(seed: seed, story: story(of: seed), isCovered: !isQuiet)
    }

    /// Returns the story of a seed.
    func story(of seed: UInt64) -> Story {
        let story = Story(seed: seed, storage: storage)
        return hasFaults ? story : story.withoutFaults
    }
}
