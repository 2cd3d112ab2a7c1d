/// A parsed log of `strace -f`, with one line for each system call that starts with the thread's number.
struct SystemCallLog {
    /// The paths that the traced process looks up before and after the counted calls.
    static let marks = (begin: "/benchmark-begins", end: "/benchmark-ends")

    private let text: String

    /// Creates a log from its text.
    init(_ text: String) {
        self.text = text
    }

    /// The number of system calls of the marking thread between the two marks, or `nil` without marks.
    var countBetweenMarks: Int? { namesBetweenMarks?.count }

    /// The names of these system calls, in order.
    var namesBetweenMarks: [String]? {
        let lines = text.split(separator: "\n")
        guard let begin = lines.firstIndex(where: { $0.contains(SystemCallLog.marks.begin) }),
            let end = lines.lastIndex(where: { $0.contains(SystemCallLog.marks.end) }), begin < end,
            let thread = lines[begin].split(separator: " ").first
        else { return nil }
        return lines[(begin + 1)..<end].compactMap { line in
            let words = line.split(separator: " ")
            // A call that was interrupted by another thread's output has a second line that starts with `<...`. Lines
            // of signals and exits start with `---` and `+++`.
            guard words.count > 1, words[0] == thread, let first = words[1].first, first.isLetter || first == "_"
            else { return nil }
            return String(words[1].prefix { $0 != "(" })
        }
    }
}
