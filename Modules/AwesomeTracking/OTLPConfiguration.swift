public import EventDelivery

/// What an app has to know to send to a receiver of OTLP, such as an OpenTelemetry Collector.
public struct OTLPConfiguration: Sendable {
    /// The most bytes of ``serviceName`` and of ``appVersion``.
    static let maximumNameBytes = 200

    /// Where log records are sent; an endpoint without a path stands for `/v1/logs`.
    public let endpoint: Endpoint
    /// The resource's `service.name`; `nil` for the product's prefix.
    public let serviceName: String?
    /// The resource's `service.version`, the one that the app had when an event was tracked; empty for none.
    public let appVersion: String
    /// The header that carries the credentials, where the receiver asks for any.
    let authorization: HTTPHeader?

    /// Creates a configuration, or says what is wrong with it.
    ///
    /// - Parameters:
    ///   - endpoint: The receiver; the usual port of a Collector is 4318.
    ///   - authorization: The whole value of the header `Authorization`, such as `Bearer …`.
    ///   - serviceName: The name of the resource; `nil` for the product's prefix.
    ///   - appVersion: The app's version.
    public init(
        endpoint: Endpoint,
        authorization: Secret? = nil,
        serviceName: String? = nil,
        appVersion: String = ""
    ) throws(ConfigurationError) {
        guard serviceName?.isEmpty != true else {
            throw .invalidValue(field: "serviceName", expected: "a name, or nothing")
        }
        for (field, text) in [("serviceName", serviceName ?? ""), ("appVersion", appVersion)] {
            guard text.utf8.count <= OTLPConfiguration.maximumNameBytes else {
                throw .invalidValue(field: field, expected: "at most \(OTLPConfiguration.maximumNameBytes) bytes")
            }
        }
        self.endpoint = try endpoint.replacingEmptyPath(with: "/v1/logs")
        self.authorization =
            if let authorization { try HTTPHeader("Authorization", authorization.value) } else { nil }
        self.serviceName = serviceName
        self.appVersion = appVersion
    }
}

extension OTLPConfiguration: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "OTLPConfiguration(\(endpoint))" }
    public var debugDescription: String { description }
}

extension OTLPConfiguration: CustomReflectable {
    /// Has no children: what the parts hold is for the wire alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
