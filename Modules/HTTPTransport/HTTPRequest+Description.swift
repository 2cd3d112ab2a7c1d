import Foundation

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the host alone: the URL, the headers and the body may hold secrets and what users did.
    public var description: String { "\(method) \(url.scheme ?? "")://\(url.host ?? "")" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
