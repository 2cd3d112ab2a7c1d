public import EventDelivery

/// A configuration for sending events to a receiver of OTLP, such as an OpenTelemetry Collector.
public struct OTLPConfiguration: Sendable {
    /// The maximum length of ``serviceName`` and of ``appVersion``, in UTF-8 bytes.
    static let maximumNameBytes = 200

    /// The address that receives log records.
    ///
    /// If the endpoint has no path, the path is `/v1/logs`.
    public let endpoint: Endpoint
    /// The resource's `service.name`, or `nil` for the product's prefix.
    public let serviceName: String?
    /// The resource's `service.version`: the app's version at the time of tracking.
    ///
    /// Empty for none.
    public let appVersion: String
    /// The options of requests.
    public let requests: RequestOptions
    /// The header with the credentials, if the receiver requires them.
    let authorization: HTTPHeader?

    /// Whether each record has the device's time of the attempt.
    public let statesSendingTime: Bool

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: The receiver. The default port of a Collector is 4318.
    ///   - authorization: The complete value of the header `Authorization`, such as `Bearer …`.
    ///   - serviceName: The resource's `service.name`, or `nil` for the product's prefix.
    ///   - appVersion: The app's version, or an empty string for none.
    ///   - requests: The options of requests, for a gateway that cannot read gzip or needs further headers.
    ///   - statesSendingTime: Whether each record has the device's time of the attempt in milliseconds, as
    ///     `awesome.sent_at`, by which a reader corrects a wrong clock. A retry then has another body.
    /// - Throws: A `ConfigurationError` if a name is too long, if the header's value is invalid, or if `requests` has
    ///   the same header.
    public init(
        endpoint: Endpoint,
        authorization: Secret? = nil,
        serviceName: String? = nil,
        appVersion: String = "",
        requests: RequestOptions = .standard,
        statesSendingTime: Bool = false
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
        try requests.check(against: self.authorization.map { [$0] } ?? [])
        self.requests = requests
        self.statesSendingTime = statesSendingTime
        self.serviceName = serviceName
        self.appVersion = appVersion
    }
}

extension OTLPConfiguration: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "OTLPConfiguration(\(endpoint))" }
    public var debugDescription: String { description }
}

extension OTLPConfiguration: CustomReflectable {
    /// A mirror without children, because the configuration contains credentials.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
