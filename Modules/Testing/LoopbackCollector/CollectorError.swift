import CLibrary

/// An error that prevents a collector from starting.
public enum CollectorError: Error, Hashable, Sendable {
    /// Another process, or another collector of this process, listens on the port.
    case portInUse(UInt16)
    /// A system call failed with an error number.
    case system(call: String, code: Int32)
    /// This machine does not have the address.
    case unknownAddress(String)
    /// The text is not an IP address.
    case invalidAddress(String)
}

extension CollectorError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .portInUse(let port): "port \(port) is in use: choose another one, or 0 for a free one"
        case .unknownAddress(let address): "this machine does not have the address \(address)"
        case .invalidAddress(let text): "\(text) is not an IP address"
        case .system(let call, let code):
            "\(call) failed: \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
        }
    }
}
