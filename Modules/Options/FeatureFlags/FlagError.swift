/// The reason for not setting a feature flag.
public enum FlagError: Error, Hashable {
    /// The name is empty, has more than 32 characters, contains a character other than an ASCII letter, a digit or an
    /// underscore, or does not start with a letter.
    case invalidName(String)
    /// The variant is empty or longer than 100 bytes.
    case invalidVariant(String)
    /// The product already has the maximum number of flags.
    case tooManyFlags(maximum: Int)
}

extension FlagError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidName(let name):
            "'\(name)' is not a flag's name: use 1 to 32 ASCII letters, digits and underscores, the first one a letter"
        case .invalidVariant(let variant):
            "'\(variant)' is not a variant: use 1 to 100 bytes"
        case .tooManyFlags(let maximum):
            "there are \(maximum) flags already; remove one by setting its variant to nil"
        }
    }
}
