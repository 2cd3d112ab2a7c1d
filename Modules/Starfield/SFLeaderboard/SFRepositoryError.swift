/// An error of a player repository.
public enum SFRepositoryError: Error, Sendable, Hashable {
    /// The stored players cannot be read, with the cause.
    case unreadable(String)
    /// The players cannot be written, with the cause.
    case unwritable(String)
}
