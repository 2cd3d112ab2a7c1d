/// Why a repository of players did not do its work.
public enum SFRepositoryError: Error, Sendable, Hashable {
    /// What is kept cannot be read, with the cause.
    case unreadable(String)
    /// Nothing can be kept, with the cause.
    case unwritable(String)
}
