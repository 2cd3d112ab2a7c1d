package import EventBuffer

/// A lane's last failure in its stored form, so its cause is known after a restart.
package struct StoredFailure: Sendable, Hashable {
    /// The maximum number of stored bytes of a response.
    package static let maximumResponseBytes = 512
    /// The maximum number of stored bytes of a kind or code.
    private static let maximumNameBytes = 128

    /// The time of the failure.
    package let time: Timestamp
    /// The engine's stable name for the kind of failure.
    package let kind: String
    /// The status of the receiver's response, or 0 if there was none.
    package let status: Int
    /// The receiver's error code, or the cause if there was no response.
    ///
    /// It is empty if neither is known.
    package let code: String
    /// The beginning of the receiver's response.
    package let response: String
    /// The receiver's host and port, such as `collector.example:443`; empty if they are unknown.
    package let receiver: String

    /// Creates a failure.
    ///
    /// Long texts are shortened, and control characters are replaced by spaces.
    package init(
        time: Timestamp,
        kind: String,
        status: Int = 0,
        code: String = "",
        response: String = "",
        receiver: String = ""
    ) {
        self.time = time
        self.kind = StoredFailure.line(kind, bytes: StoredFailure.maximumNameBytes)
        self.status = (0..<1000).contains(status) ? status : 0
        self.code = StoredFailure.line(code, bytes: StoredFailure.maximumNameBytes)
        self.response = StoredFailure.line(response, bytes: StoredFailure.maximumResponseBytes)
        self.receiver = StoredFailure.line(receiver, bytes: StoredFailure.maximumNameBytes)
    }

    /// Reads the column's text.
    ///
    /// Returns `nil` if it is empty or was not written by this type.
    init?(text: String) {
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 6, let microseconds = Int64(fields[0]), let status = Int(fields[2]) else { return nil }
        let time = Timestamp(microseconds: microseconds)
        guard time.isPossible, (0..<1000).contains(status) else { return nil }
        self.init(
            time: time,
            kind: String(fields[1]),
            status: status,
            code: String(fields[3]),
            response: String(fields[4]),
            receiver: String(fields[5])
        )
    }

    /// The column's text: the fields, separated by tabs.
    var text: String {
        [String(time.microseconds), kind, String(status), code, response, receiver].joined(separator: "\t")
    }

    /// Returns the beginning of a text on one line, without splitting a character.
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
