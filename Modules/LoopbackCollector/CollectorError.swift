/// Why a collector could not start.
public enum CollectorError: Error, Hashable, Sendable {
    /// A system call failed; the code is the system's error number.
    case system(call: String, code: Int32)
}
