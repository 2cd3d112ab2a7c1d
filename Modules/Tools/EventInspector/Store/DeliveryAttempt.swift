/// An attempt to deliver an event, as reported by the receiver or by the sender.
struct DeliveryAttempt: Sendable {
    /// The side that reported the attempt.
    enum End: String, Sendable {
        case receiver, sender
    }

    let end: End
    /// The time of the attempt, in microseconds since 1970.
    let time: Int64
    /// The status of the response, or `nil` if there was none.
    let status: Int?
    /// The start of the response, or the reason that there is none.
    let response: String
    /// The sender's result for the response.
    ///
    /// Empty if the receiver reported the attempt.
    let result: String
}
