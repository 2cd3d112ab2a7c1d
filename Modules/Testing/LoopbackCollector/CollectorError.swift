/// An error that prevents a collector from starting.
public enum CollectorError: Error, Hashable, Sendable {
    /// A system call failed with an error number.
    case system(call: String, code: Int32)
    /// The text is not an IPv4 address.
    case invalidAddress(String)
}
