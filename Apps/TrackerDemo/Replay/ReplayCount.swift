/// What a run has read.
struct ReplayCount: Sendable, Equatable {
    /// Rows without the header, malformed ones included.
    var rows = 0
    /// Rows that could not be replayed.
    var malformed = 0
    /// Replayed rows by kind.
    var kinds: [ReplayRow.Kind: Int] = [:]
    /// Why the file could not be read to its end; `nil` when it was.
    var readError: String?
}
