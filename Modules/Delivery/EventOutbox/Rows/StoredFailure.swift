package import EventDeliveryAPI

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

    /// Writes or reads the fields of a lane's row.
    mutating func code(_ coder: inout RowCoder) {
        var (time, kind, status) = (self.time, self.kind, self.status)
        var (code, response, receiver) = (self.code, self.response, self.receiver)
        coder.code(&time)
        coder.code(&kind)
        coder.code(&status)
        coder.code(&code)
        coder.code(&response)
        coder.code(&receiver)
        guard coder.isReading else { return }
        self = StoredFailure(
            time: time,
            kind: kind,
            status: status,
            code: code,
            response: response,
            receiver: receiver
        )
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
