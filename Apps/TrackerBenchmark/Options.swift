/// The benchmark's command-line options.
struct Options: Equatable, Sendable {
    /// The help text.
    static let usage = """
        usage: Scripts/benchmark [--filter TEXT] [--quick] [--instructions] [--json] [--compare FILE]
                                 [--clickstream FILE]

        Measures each figure several times, each time in a process of its own and next to a floor of the same run, and
        prints medians with the least and the most. The floor of a time is the same work written by hand: the same
        bytes, encoded without a library and appended in the same groups with the same barriers.

          --filter TEXT       measures only the figures of which a row's name contains the text
          --quick             fewer runs of each figure, and none of those that take minutes
          --instructions      counts instructions by valgrind's callgrind instead; they repeat, times do not
          --json              prints one line of JSON instead of the table
          --compare FILE      holds the counts (instructions, allocations, system calls, bytes) to those of an earlier
                              --json; more than 1 % above is told, and ends with 3
          --clickstream FILE  replays this file in the REES46 columns, repeated to 1,000,000 rows, instead of made-up
                              ones
          --help              prints this

        Exit codes: 0 each budget is kept; 2 a figure is beyond its budget, or none was measured; 3 a count has grown;
        64 wrong arguments; 66 the file of --compare cannot be read.

        """

    /// The role of a process of this program.
    enum Role: Equatable, Sendable {
        /// Runs the figures, each in a child process.
        case parent
        /// Measures one figure once in a directory. The name is that of its first row.
        case child(figure: String, directory: String)
        /// Repeats a workload for a tool that counts from outside.
        case load(name: String, count: Int, directory: String)
    }

    /// The text that the names of measured rows contain.
    var filter = ""
    /// Whether to make only a few runs.
    var isQuick = false
    /// Whether to only count instructions.
    var countsInstructions = false
    /// Whether to print the result as one line of JSON.
    var printsJSON = false
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
