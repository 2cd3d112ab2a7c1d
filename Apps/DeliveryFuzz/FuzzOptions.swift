import OptionParsing

/// The fuzzer's command-line options.
struct FuzzOptions: ProgramOptions {
    static let program = "fuzz"
    static let help = """
        Feeds mutated input to parts of the engine: fuzz [TARGET …] [--minutes N] [--seed S] [--from CASE --cases N]

          TARGET     responses: sends a receiver's responses to the transport
                     files: opens files of the outbox, with valid checksums or damaged, and parses dates of headers
                     all targets by default
          --minutes  the duration, 10 by default
          --seed     the seed of the run, random by default
          --from     the first case, 0 by default; a run with the same seed repeats the same cases
          --cases    the number of cases, instead of a duration
          --here     runs the cases of files in this process, for a debugger
        """

    /// The part of the engine to fuzz.
    enum Target: String, CaseIterable {
        case responses
        case files
    }

    private(set) var targets: [Target] = []
    private(set) var minutes = 10
    private(set) var seed = UInt64.random(in: 0..<1_000_000_000)
    private(set) var first: UInt64 = 0
    private(set) var cases: UInt64?
    private(set) var runsHere = false

    init(_ words: [String]) throws(UsageError) {
        var reader = OptionReader(words)
        while let word = try reader.next() {
            switch word {
            case "--minutes": minutes = try reader.number(in: 1...100_000)
            case "--seed": seed = try reader.number(in: 0...UInt64.max)
            case "--from": first = try reader.number(in: 0...UInt64.max)
            case "--cases": cases = try reader.number(in: 0...UInt64.max)
            case "--here": runsHere = true
            default:
                guard let target = Target(rawValue: word) else { throw reader.unknown }
                targets.append(target)
            }
        }
        if targets.isEmpty { targets = Target.allCases }
    }
}
