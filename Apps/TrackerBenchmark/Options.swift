import OptionParsing

/// The benchmark's command-line options.
struct Options: ProgramOptions {
    static let program = "benchmark"
    static let help = """
        usage: Scripts/benchmark [--filter TEXT] [--quick] [--runs N] [--instructions] [--json] [--compare FILE]
                                 [--against COMMIT] [--clickstream FILE] [--day]

        Measures each figure several times, each time in a new process and together with its floor, and prints the
        medians with the minimum and the maximum. The floor of a time is the same work written by hand: the same
        bytes, encoded without a library and appended in the same groups with the same barriers. At the end it prints
        to stderr whether the machine was quiet: other programs may use at most 10 % of the processors' time.

          --filter TEXT       measures only the figures with a row whose name contains the text
          --quick             fewer runs of each figure, and no figure that takes minutes
          --runs N            the number of runs of each figure
          --instructions      counts instructions with valgrind's callgrind instead of measuring time
          --json              prints one line of JSON instead of the table
          --compare FILE      compares the counts (instructions, allocations, system calls, bytes) with an earlier
                              --json output; reports those more than 2 % above it and ends with 3
          --against COMMIT    measures each figure by turns with this checkout and with the benchmark of the commit, 10
                              times each without --runs, and prints both medians and their ratio. The commit is
                              built in .build/against, for minutes, unless an earlier call has built it
          --clickstream FILE  replays this file with the REES46 columns, repeated to 1,000,000 rows, instead of
                              generated rows
          --day               prints the requests of the simulated day by schedule, peer and service
          --help              prints this help

        Exit codes: 0 all figures are within their budgets; 2 a figure is over its budget, or none was measured; 3 a
        count has grown; 64 wrong arguments; 66 --compare cannot read its file, or --against does not find its commit.
        With --against, the code is 0 if both commits measured a row, whatever the budgets.
        """

    /// The role of a process of this program.
    enum Role: Equatable, Sendable {
        /// Runs the figures, each in a child process.
        case parent
        /// Measures one figure once in a directory. The figure has the name of its first row.
        case child(figure: String, directory: String)
        /// Repeats a workload for a tool that counts from outside.
        case load(name: String, count: Int, directory: String)
    }

    /// The required text in the names of measured rows.
    var filter = ""
    /// Whether to make only a few runs.
    var isQuick = false
    /// The number of runs of each figure, or `nil` for the figure's own.
    var runs: Int?
    /// The commit to compare with by turns.
    var commit: String?
    /// Whether to only count instructions.
    var countsInstructions = false
    /// Whether to print the result as one line of JSON.
    var printsJSON = false
    /// Whether to only print the requests of the simulated day.
    var printsDay = false
    /// The file with an earlier result to compare with.
    var comparison: String?
    /// The clickstream to replay.
    var clickstream: String?
    /// The role of this process.
    var role = Role.parent

    init(_ words: [String]) throws(UsageError) {
        var reader = OptionReader(words)
        while let word = try reader.next() {
            switch word {
            case "--quick": isQuick = true
            case "--instructions": countsInstructions = true
            case "--runs": runs = try reader.number(in: 1...1_000)
            case "--against": commit = try reader.value()
            case "--json": printsJSON = true
            case "--day": printsDay = true
            case "--filter": filter = try reader.value()
            case "--compare": comparison = try reader.value()
            case "--clickstream": clickstream = try reader.value()
            case "--measure": role = .child(figure: try reader.value(), directory: try reader.value())
            case "--load":
                role = .load(
                    name: try reader.value(),
                    count: try reader.number(in: 1...Int.max),
                    directory: try reader.value()
                )
            default: throw reader.unknown
            }
        }
        if commit != nil, printsJSON || printsDay || comparison != nil {
            throw UsageError("--against prints a table, and excludes --json, --compare and --day")
        }
    }
}
