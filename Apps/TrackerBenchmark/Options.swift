/// The benchmark's command-line options.
struct Options: Equatable, Sendable {
    /// The help text.
    static let usage = """
        usage: Scripts/benchmark [--filter TEXT] [--quick] [--instructions] [--json] [--compare FILE]
                                 [--clickstream FILE] [--day]

        Measures each figure several times, each time in a new process and together with its floor, and prints the
        medians with the minimum and the maximum. The floor of a time is the same work written by hand: the same
        bytes, encoded without a library and appended in the same groups with the same barriers.

          --filter TEXT       measures only the figures with a row whose name contains the text
          --quick             fewer runs of each figure, and no figure that takes minutes
          --instructions      counts instructions with valgrind's callgrind instead of measuring time
          --json              prints one line of JSON instead of the table
          --compare FILE      compares the counts (instructions, allocations, system calls, bytes) with an earlier
                              --json output; reports those more than 2 % above it and ends with 3
          --clickstream FILE  replays this file with the REES46 columns, repeated to 1,000,000 rows, instead of
                              generated rows
          --day               prints the requests of the simulated day by schedule, peer and service
          --help              prints this help

        Exit codes: 0 all figures are within their budgets; 2 a figure is over its budget, or none was measured; 3 a
        count has grown; 64 wrong arguments; 66 the file of --compare cannot be read.

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
    /// Whether to only count instructions.
    var countsInstructions = false
    /// Whether to print the result as one line of JSON.
    var printsJSON = false
    /// Whether to only print the requests of the simulated day.
    var printsDay = false
    /// Whether to only print the help.
    var showsHelp = false
    /// The file with an earlier result to compare with.
    var comparison: String?
    /// The clickstream to replay.
    var clickstream: String?
    /// The role of this process.
    var role = Role.parent

    /// Parses the command line.
    ///
    /// Returns `nil` if it is invalid.
    init?(_ words: [String]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--quick": isQuick = true
            case "--instructions": countsInstructions = true
            case "--json": printsJSON = true
            case "--day": printsDay = true
            case "--help", "-h": showsHelp = true
            case "--filter", "--compare", "--clickstream":
                guard let value = rest.popFirst() else { return nil }
                set(word, value)
            case "--measure":
                guard let figure = rest.popFirst(), let directory = rest.popFirst() else { return nil }
                role = .child(figure: figure, directory: directory)
            case "--load":
                guard let name = rest.popFirst(), let count = rest.popFirst().flatMap({ Int($0) }), count > 0,
                    let directory = rest.popFirst()
                else { return nil }
                role = .load(name: name, count: count, directory: directory)
            default: return nil
            }
        }
    }

    private mutating func set(_ word: String, _ value: String) {
        switch word {
        case "--filter": filter = value
        case "--compare": comparison = value
        default: clickstream = value
        }
    }
}
