/// The reason a collector could not start.
public enum CollectorError: Error, Hashable, Sendable {
    /// A system call failed; the code is the system's error number.
    case system(call: String, code: Int32)
    /// The text is not an IPv4 address.
    case invalidAddress(String)
}
