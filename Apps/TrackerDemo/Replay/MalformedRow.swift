/// The error of a row that cannot be replayed.
struct MalformedRow: Error, Equatable {
    /// The reason, for the user.
    let reason: String

    /// Creates an error.
    init(_ reason: String) {
        self.reason = reason
    }
}
