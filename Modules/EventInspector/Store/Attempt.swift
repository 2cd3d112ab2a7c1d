/// One try to deliver an event, as one of the two ends saw it.
struct Attempt: Sendable {
    /// The end that tells of it.
    enum End: String, Sendable {
        case receiver, sender
    }

    let end: End
    /// When, in microseconds since 1970.
    let time: Int64
    /// The answer's status; `nil` for none.
    let status: Int?
    /// The start of the answer, or why there is none.
    let answer: String
    /// What the sender takes the answer for; empty where the receiver tells.
    let verdict: String
}
