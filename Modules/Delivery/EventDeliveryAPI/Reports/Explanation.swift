/// The cause of waiting or dropped events, and the cure.
///
/// It contains nothing of an event and nothing of a receiver's response, so a log can print it. The description is one
/// line: the cause, a colon, and the cure.
package struct Explanation: Sendable, Hashable {
    /// A stable name of the cause, such as `dropped.buffer_full`.
    ///
    /// A log uses it to print each cause once.
    package let name: String
    /// The cause, such as `the receiver refuses the credentials (status 401)`.
    package let cause: String
    /// The cure, such as `correct them and call resume()`.
    package let cure: String
    /// Whether the app, the user or the configuration intends the loss.
    package let isIntended: Bool

    init(_ name: String, _ cause: String, cure: String, isIntended: Bool = false) {
        (self.name, self.cause, self.cure, self.isIntended) = (name, cause, cure, isIntended)
    }

    /// Whether the cause is a number of dropped or refused events, which can grow.
    var isLoss: Bool { name.hasPrefix("dropped.") || name == "quarantined" }

    /// Whether the events wait as the app wants it, so the log does not report the cause.
    var isUsual: Bool { ["scheduled", "backlog", "closed", "storage.suspended"].contains(name) }

    /// Returns the explanation with the time until the next attempt.
    func adding(_ nextAttempt: String) -> Explanation {
        Explanation(name, cause, cure: cure + nextAttempt)
    }
}

extension Explanation: CustomStringConvertible {
    package var description: String { cure.isEmpty ? cause : "\(cause): \(cure)" }
}

/// The facts around a lane, for its explanation.
package struct LaneSurroundings: Sendable, Hashable {
    /// The state of the engine.
    package enum Phase: Sendable, Hashable {
        /// The app has not opened the engine.
        case unopened
        case open
        /// The engine is closed, and remaining events stay stored.
        case closed
    }

    /// The state of the engine.
    package var phase: Phase
    /// The path of the engine's directory, or an empty string.
    package var directory = ""
    /// Whether another engine of this process uses the directory.
    package var isUsedByThisProcess = false
    /// The names of the lanes with a destination.
    package var served: [String] = []
    /// The names of registered vendors, and of vendors with a destination.
    package var vendors: [String] = []

    package init(phase: Phase = .open) { self.phase = phase }
}

extension Timestamp {
    /// Returns the minute in UTC, such as `14:02 UTC`, preceded by the date if it differs from the date of `now`.
    func minute(on now: Timestamp?) -> String {
        let (date, time) = (rfc3339.prefix(10), rfc3339.dropFirst(11).prefix(5))
        return now?.rfc3339.prefix(10) == date ? "\(time) UTC" : "\(date) \(time) UTC"
    }
}

extension Duration {
    /// The duration in a suitable unit, rounded down: `40 s`, `12 min`, `5 h` or `3 days`.
    package var inOneUnit: String {
        let seconds = wholeSeconds
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
