/// The fuzzer's command-line options.
struct FuzzOptions: Sendable {
    static let usage = """
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

    /// Parses the arguments.
    ///
    /// Returns `nil` if one is unknown or lacks its value.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if let target = Target(rawValue: word) {
                targets.append(target)
            } else if word == "--here" {
                runsHere = true
            } else {
                guard let number = rest.popFirst().flatMap({ UInt64($0) }), set(word, number) else { return nil }
            }
        }
        if targets.isEmpty { targets = Target.allCases }
    }

    private mutating func set(_ option: String, _ number: UInt64) -> Bool {
        switch option {
        case "--minutes": minutes = Int(min(max(1, number), 100_000))
        case "--seed": seed = number
        case "--from": first = number
        case "--cases": cases = number
        default: return false
        }
        return true
    }
}
