/// An error in a remote list of enabled trackers.
///
/// An index counts from 0.
public enum TrackerConfigError: Error, Hashable {
    /// The list has more names than the limit.
    case tooManyNames(count: Int, limit: Int)
    /// A name is empty.
    case emptyName(index: Int)
    /// A name has more UTF-8 bytes than the limit.
    case nameTooLong(index: Int, limit: Int)
    /// A name has a character other than ASCII letters, digits, `.`, `_` and `-`.
    case invalidCharacter(index: Int)

    /// The stable name of the violated rule, under which rejected lists are counted.
    public var rule: String {
        switch self {
        case .tooManyNames: "too_many_names"
        case .emptyName: "empty_name"
        case .nameTooLong: "name_too_long"
        case .invalidCharacter: "invalid_character"
        }
    }
}
