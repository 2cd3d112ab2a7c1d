/// What the user has asked for.
struct Options: Equatable {
    /// What the options may be.
    static let usage = """
        usage: Scripts/benchmark [--filter TEXT] [--quick] [--json]
          --filter TEXT  measures only the figures whose names contain the text
          --quick        5 runs of each figure instead of 25
          --json         prints one line of JSON instead of the table
        Exit code 2: a figure is beyond its budget, or none was measured.
        """

    /// A part of the names of the figures to measure.
    var filter = ""
    /// How often each figure is measured.
    var runs = 25
    /// Whether the result is one line of JSON.
    var printsJSON = false

    /// Reads the words of the command line; `nil` when they are not understood.
    init?(_ words: [String]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--quick": runs = 5
            case "--json": printsJSON = true
            case "--filter":
                guard let text = rest.popFirst() else { return nil }
                filter = text
            default: return nil
            }
        }
    }
}
