/// What the user has asked for.
struct Options: Equatable, Sendable {
    /// What the options may be.
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

    /// What a process of this program is for.
    enum Role: Equatable, Sendable {
        /// Runs the figures, each in a child of its own.
        case parent
        /// Measures one figure once, in a directory; its name is that of its first row.
        case child(figure: String, directory: String)
        /// Does the same thing so many times, for a tool that counts from outside.
        case load(name: String, count: Int, directory: String)
    }

    /// A part of the names of the rows to measure.
    var filter = ""
    /// Whether few runs are enough.
    var isQuick = false
    /// Whether instructions are counted, and nothing else measured.
    var countsInstructions = false
    /// Whether the result is one line of JSON.
    var printsJSON = false
    /// Whether only the usage is asked for.
    var showsHelp = false
    /// The file of an earlier result to compare with.
    var comparison: String?
    /// The clickstream to replay.
    var clickstream: String?
    /// What this process is for.
    var role = Role.parent

    /// Reads the words of the command line; `nil` when they are not understood.
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
