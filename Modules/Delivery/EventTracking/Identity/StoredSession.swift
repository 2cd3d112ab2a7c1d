/// The rules of an engine's sessions.
package struct SessionRules: Sendable {
    /// The time without an event after which a session ends, or `nil` if only the app starts sessions.
    let timeout: Duration?
    /// The maximum duration of a session, or `nil` for none.
    let maximum: Duration?

    package init(timeout: Duration?, maximum: Duration?) {
        (self.timeout, self.maximum) = (timeout, maximum)
    }
}

/// A session that continues after a restart of the process.
package struct StoredSession: Sendable, Equatable {
    /// The session's id.
    package var id: String
    /// The start of the session.
    package var start: Timestamp
    /// The session's number.
    package var number: Int64
    /// The time of the last event or visit.
    package var last: Timestamp

    /// A session without an id, which is not stored.
    package static let empty = StoredSession(
        id: "",
        start: Timestamp(microseconds: 0),
        number: 0,
        last: Timestamp(microseconds: 0)
    )

    /// The time of the last activity is stored if it has changed by this part of the timeout.
    static let precision: Int64 = 30

    package init(id: String, start: Timestamp, number: Int64, last: Timestamp) {
        (self.id, self.start, self.number, self.last) = (id, start, number, last)
    }

    init(_ identity: Identity, last: Timestamp) {
        self.init(id: identity.sessionID, start: identity.sessionStart, number: identity.sessionNumber, last: last)
    }

    /// Whether a row of the outbox can contain the session.
    package var isStorable: Bool { !id.isEmpty && Identity.isUsable(id) && number > 0 && number <= 1 << 53 }

    /// Whether both are the same session.
    func isSame(as other: StoredSession) -> Bool {
        (id, start, number) == (other.id, other.start, other.number)
    }
}

extension Timestamp {
    /// Returns the time after a number of nanoseconds, which saturates at the ends of the range.
    func advanced(byNanoseconds count: Int64) -> Timestamp {
        Timestamp(microseconds: microseconds.saturatingAdd(count / 1000))
    }

    /// Returns the number of nanoseconds from this time to another one, which saturates at the ends of the range.
    func nanoseconds(to other: Timestamp) -> Int64 {
        other.microseconds.saturatingSubtract(microseconds).saturatingMultiply(1000)
    }
}
