/// Options of a destination's requests, for a gateway between the app and the receiver.
///
/// ```swift
/// let options = try RequestOptions(compressesBodies: false, headers: ["X-Scope-OrgID": "dl", "X-Route": "eu"])
/// ```
public struct RequestOptions: Sendable, Equatable {
    /// The standard options: bodies are compressed, and there are no further headers.
    public static let standard = RequestOptions()

    /// Whether large bodies are compressed with gzip.
    ///
    /// Without this option too, the engine sends uncompressed bodies to a receiver that refuses compressed ones.
    public let compressesBodies: Bool
    /// The further headers, in order.
    ///
    /// No description contains their values.
    public let headers: [HTTPHeader]

    /// Creates options.
    ///
    /// - Parameters:
    ///   - compressesBodies: Whether large bodies are compressed with gzip.
    ///   - headers: The names and values of further headers, such as a tenant or a route.
    /// - Throws: A ``ConfigurationError`` if a header is not valid, occurs twice, or is set by the transport or the
    ///   wire format.
    public init(
        compressesBodies: Bool = true,
        headers: KeyValuePairs<String, Secret>
    ) throws(ConfigurationError) {
        self.compressesBodies = compressesBodies
        var checked: [HTTPHeader] = []
        var names = WireRequest.reservedHeaders.union(["accept-encoding", "content-type"])
        for (name, value) in headers {
            checked.append(try HTTPHeader(name, value.value))
            guard names.insert(name.lowercased()).inserted else {
                throw .invalidValue(field: "headers", expected: "without \(name), or name it only once")
            }
        }
        self.headers = checked
    }

    /// Creates options without further headers.
    ///
    /// - Parameter compressesBodies: Whether large bodies are compressed with gzip.
    public init(compressesBodies: Bool = true) {
        self.compressesBodies = compressesBodies
        headers = []
    }

    /// Checks that no further header has the name of a header set by the configuration.
    ///
    /// - Parameter headers: The headers of the configuration.
    /// - Throws: ``ConfigurationError/invalidValue(field:expected:)`` with the name.
    package func check(against headers: [HTTPHeader]) throws(ConfigurationError) {
        let names = Set(headers.map { $0.name.lowercased() })
        guard let double = self.headers.first(where: { names.contains($0.name.lowercased()) }) else { return }
        throw .invalidValue(field: "headers", expected: "without \(double.name), which the configuration sets")
    }
}
