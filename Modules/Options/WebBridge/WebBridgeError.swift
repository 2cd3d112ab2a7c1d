/// The reason for not creating a ``WebBridge/WebBridge``.
public enum WebBridgeError: Error, Hashable, Sendable {
    /// The schema is not a JSON Schema of a tracking plan.
    ///
    /// The associated value is the JSON pointer of the unexpected value, such as `#/anyOf/0`.
    case malformedSchema(at: String)
    /// The schema has a keyword that the bridge cannot check.
    ///
    /// The second value is the JSON pointer of the keyword's object.
    case unsupportedKeyword(String, at: String)
    /// The text is not an origin: a scheme and a host, and a port if it is not the scheme's usual one.
    case invalidOrigin(String)
}

extension WebBridgeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformedSchema(let path):
            "the schema has no valid value at \(path): write it with the tracking plan's tool"
        case .unsupportedKeyword(let keyword, let path):
            "the schema has the keyword '\(keyword)' at \(path), which a web bridge cannot check"
        case .invalidOrigin(let text):
            "'\(text)' is not an origin, such as https://mini.example or http://127.0.0.1:8080"
        }
    }
}
