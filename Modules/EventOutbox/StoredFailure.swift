/// What went wrong last in a lane, as it is stored, so that a restart does not forget the cause of a wait.
package struct StoredFailure: Sendable, Hashable {
    /// The most bytes of an answer that are kept.
    package static let mostAnswerBytes = 512
    /// The most bytes of a kind or a code that are kept.
    private static let mostNameBytes = 128

    /// When it went wrong.
    package let time: Timestamp
    /// What kind of failure it was: a stable name of the engine's.
    package let kind: String
    /// The status of the receiver's answer, or 0 without one.
    package let status: Int
    /// The receiver's own code, or the code of the connection's error; empty without one.
    package let code: String
    /// The start of the receiver's answer.
    package let answer: String

    /// Creates a failure; texts that are too long are cut, control characters become spaces.
    package init(time: Timestamp, kind: String, status: Int = 0, code: String = "", answer: String = "") {
        self.time = time
        self.kind = StoredFailure.line(kind, bytes: StoredFailure.mostNameBytes)
        self.status = (0..<1000).contains(status) ? status : 0
        self.code = StoredFailure.line(code, bytes: StoredFailure.mostNameBytes)
        self.answer = StoredFailure.line(answer, bytes: StoredFailure.mostAnswerBytes)
    }

    /// Reads the text of a column; `nil` when it is empty or is not one that this type writes.
    init?(text: String) {
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 5, let microseconds = Int64(fields[0]), let status = Int(fields[2]) else { return nil }
        let time = Timestamp(microseconds: microseconds)
        guard time.isPossible, (0..<1000).contains(status) else { return nil }
        self.init(
            time: time,
            kind: String(fields[1]),
            status: status,
            code: String(fields[3]),
            answer: String(fields[4])
        )
    }

    /// The text of a column: the fields with tabs in between.
    var text: String {
        [String(time.microseconds), kind, String(status), code, answer].joined(separator: "\t")
    }

    /// The start of a text, cut between characters, on one line.
    private static func line(_ text: String, bytes: Int) -> String {
        var line = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += scalar.utf8.count
            guard count <= bytes else { break }
            line.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
        }
        return line
    }
}
