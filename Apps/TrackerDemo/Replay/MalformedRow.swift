/// Why a row cannot be replayed.
struct MalformedRow: Error, Equatable {
    /// The reason, for the user.
    let reason: String

    /// Creates a reason.
    init(_ reason: String) {
        self.reason = reason
    }
}
