public import EventDelivery

/// An HTTP source of Sumo Logic: its address, which is the secret, and the metadata of its lines.
public struct SumoConfiguration: Sendable {
    /// The source's address.
    ///
    /// Any client with this URL can write to the source.
    let endpoint: Endpoint
    /// The metadata stored by Sumo Logic with each line.
    let metadata: SumoMetadata?
    /// The options of requests.
    let requests: RequestOptions

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: The source's address, as shown by Sumo Logic.
    ///   - metadata: The metadata stored by Sumo Logic with each line.
    ///   - requests: The options of requests, for a gateway. A further header also in `metadata` is left out.
    public init(endpoint: Endpoint, metadata: SumoMetadata? = nil, requests: RequestOptions = .standard) {
        self.endpoint = endpoint
        self.metadata = metadata
        self.requests = requests
    }

    /// The headers of the metadata, and the further ones.
    var headers: [HTTPHeader] {
        let headers = metadata?.headers ?? []
        let names = Set(headers.map { $0.name.lowercased() })
        return headers + requests.headers.filter { !names.contains($0.name.lowercased()) }
    }
}

extension SumoConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(endpoint)/‹redacted›" }
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": description]) }
}

/// The metadata stored by Sumo Logic with each line of a request, validated when it is created.
public struct SumoMetadata: Sendable, Equatable {
    /// The headers with the metadata.
    let headers: [HTTPHeader]

    /// The maximum number of fields in a request, and the maximum length of a key and a value in UTF-16 units.
    private static let limits = (fields: 30, key: 255, value: 200)

    /// Creates metadata.
    ///
    /// If a value is `nil` or empty, the source's settings apply.
    ///
    /// - Parameters:
    ///   - category: The source category, such as `mobile/ios/tracking`.
    ///   - host: The source host.
    ///   - name: The source name.
    ///   - fields: Further fields, sent in the order of their keys. Sumo Logic silently drops a key missing from the
    ///     account's schema.
    /// - Throws: A `ConfigurationError` for the first invalid value.
    public init(
        category: String? = nil,
        host: String? = nil,
        name: String? = nil,
        fields: [String: String] = [:]
    ) throws(ConfigurationError) {
        var headers: [HTTPHeader] = []
        if let category { headers.append(try HTTPHeader("X-Sumo-Category", category)) }
        if let host { headers.append(try HTTPHeader("X-Sumo-Host", host)) }
        if let name { headers.append(try HTTPHeader("X-Sumo-Name", name)) }
        if !fields.isEmpty {
            headers.append(try HTTPHeader("X-Sumo-Fields", SumoMetadata.text(of: fields)))
        }
        self.headers = headers
    }

    private static func text(of fields: [String: String]) throws(ConfigurationError) -> String {
        guard fields.count <= limits.fields else {
            throw .invalidValue(field: "fields", expected: "at most \(limits.fields)")
        }
        for field in fields {
            guard isPlain(field.key, maximumLength: limits.key) else {
                throw .invalidValue(
                    field: "a field's key",
                    expected: "1…\(limits.key) characters without \",\" and \"=\""
                )
            }
            guard isPlain(field.value, maximumLength: limits.value) else {
                throw .invalidValue(
                    field: "the value of field \(field.key)",
                    expected: "1…\(limits.value) characters without \",\" and \"=\""
                )
            }
        }
        return fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }

    /// Whether a text needs no escaping.
    ///
    /// Sumo Logic documents no way to escape the separators.
    private static func isPlain(_ text: String, maximumLength: Int) -> Bool {
        // Bytes, because Sumo Logic also separates at a comma that a combining mark follows.
        !text.isEmpty && text.utf16.count <= maximumLength
            && !text.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "=") }
    }
}
