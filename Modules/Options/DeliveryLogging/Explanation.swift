import CoreTracker
import EventTracking

/// The cause of waiting or dropped events, and the cure.
///
/// It contains nothing of an event and nothing of a receiver's response, so a log can print it. The description is one
/// line: the cause, a colon, and the cure.
package struct Explanation: Sendable, Equatable {
    /// A stable name of the cause, such as `dropped.buffer_full`.
    ///
    /// A log uses it to print each cause once.
    package var name: String
    /// The cause, such as `the receiver refuses the credentials (status 401)`.
    package var cause: String
    /// The cure, such as `correct them and call resume()`.
    package var cure: String
    /// Whether the app, the user or the configuration intends the loss.
    package var isIntended = false

    /// Creates an explanation from a row of ``Sentences``.
    ///
    /// - Parameters:
    ///   - name: The name of the cause.
    ///   - row: The name of the row, or `nil` if it is the name of the cause.
    ///   - values: The texts for the placeholders of the row.
    init(_ name: String, row: String? = nil, _ values: [String: String] = [:]) {
        let sentence = Sentences.rows[row ?? name]
        self.name = name
        cause = Sentences.fill(sentence?.cause ?? name, values)
        cure = Sentences.fill(sentence?.cure ?? "", values)
    }

    /// Whether the cause is a number of dropped or refused events, which can grow.
    var isLoss: Bool { name.hasPrefix("dropped.") || name == "quarantined" }

    /// Whether an earlier run has seen the cause, and this one has not.
    var isOfEarlierRun: Bool { name.hasPrefix("earlier.") }

    /// Whether the events wait as the app wants it, so the log does not report the cause.
    var isUsual: Bool { ["scheduled", "backlog", "closed", "storage.suspended"].contains(name) }
}

extension Explanation: CustomStringConvertible {
    package var description: String { cure.isEmpty ? cause : "\(cause): \(cure)" }
}
