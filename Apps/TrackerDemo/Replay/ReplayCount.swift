/// The number of rows that a run has read.
struct ReplayCount: Sendable, Equatable {
    /// The number of rows without the header, including malformed ones.
    var rows = 0
    /// The number of rows that could not be replayed.
    var malformed = 0
    /// The number of replayed rows by kind.
    var kinds: [ReplayRow.Kind: Int] = [:]
    /// The error that ended reading, or `nil` if the file was read completely.
    var readError: String?
}
