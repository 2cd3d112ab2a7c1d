/// What `strace -f` has written: a line for each system call, with the thread's number before it.
struct SystemCallLog {
    /// The paths that the traced process asks for before and after what is counted.
    static let marks = (begin: "/benchmark-begins", end: "/benchmark-ends")

    private let text: String

    /// Reads a log.
    init(_ text: String) {
        self.text = text
    }

    /// The system calls of the marking thread between the two marks, the marks excluded; `nil` without marks.
    var countBetweenMarks: Int? { namesBetweenMarks?.count }

    /// Their names, in order.
    var namesBetweenMarks: [String]? {
        let lines = text.split(separator: "\n")
        guard let begin = lines.firstIndex(where: { $0.contains(SystemCallLog.marks.begin) }),
            let end = lines.lastIndex(where: { $0.contains(SystemCallLog.marks.end) }), begin < end,
            let thread = lines[begin].split(separator: " ").first
        else { return nil }
        return lines[(begin + 1)..<end].compactMap { line in
            let words = line.split(separator: " ")
            // A call that another thread has interrupted in the log has a second line, which begins with `<...`;
            // signals and ends begin with `---` and `+++`.
            guard words.count > 1, words[0] == thread, let first = words[1].first, first.isLetter || first == "_"
            else { return nil }
            return String(words[1].prefix { $0 != "(" })
        }
    }
}
