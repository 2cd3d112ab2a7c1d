public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The address and the credentials for Braze, validated when the configuration is created.
///
/// The key is a server's secret. An app should send to Braze through a relay that holds the key. Tests and tools can
/// use it directly.
public struct BrazeConfiguration: Sendable {
    /// The maximum number of objects in a request under Braze's current contracts.
    public static let maximumEvents = 75

    /// The address that receives events.
    ///
    /// If the endpoint has no path, the path is `/users/track`.
    let endpoint: Endpoint
    /// The header with the key.
    let authorization: HTTPHeader
    /// The identifier of the events' app in Braze's dashboard.
    let appID: String?
    /// The maximum number of events in a request.
    let eventsPerRequest: Int

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: The host of the app's Braze instance, such as `https://rest.fra-01.braze.eu`, or a relay.
    ///   - apiKey: A REST key with the permission `users.track`.
    ///   - appID: The app's identifier in Braze. If it is `nil`, the events belong to no app.
    ///   - eventsPerRequest: The maximum number of events in a request: 75, or the number in an older contract, such as
    ///     50.
    /// - Throws: A `ConfigurationError` for the first invalid value.
    public init(
        endpoint: Endpoint,
        apiKey: Secret,
        appID: String? = nil,
        eventsPerRequest: Int = BrazeConfiguration.maximumEvents
    ) throws(ConfigurationError) {
        self.endpoint = try endpoint.replacingEmptyPath(with: "/users/track")
        guard !apiKey.value.isEmpty, apiKey.value.utf8.allSatisfy(BrazeConfiguration.isKeyCharacter) else {
            throw .invalidValue(field: "apiKey", expected: "visible ASCII characters without quotes")
        }
        guard appID?.isEmpty != true else {
            throw .invalidValue(field: "appID", expected: "the app's identifier, or nothing")
        }
        guard (1...BrazeConfiguration.maximumEvents).contains(eventsPerRequest) else {
            throw .invalidValue(field: "eventsPerRequest", expected: "1…\(BrazeConfiguration.maximumEvents)")
        }
        authorization = try HTTPHeader("Authorization", "Bearer \(apiKey.value)")
        self.appID = appID
        self.eventsPerRequest = eventsPerRequest
    }

    /// Whether a key may contain a byte.
    ///
    /// Braze responds with 401 to a key in quotes.
    private static func isKeyCharacter(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
    }
}

extension BrazeConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { endpoint.description }
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint.description]) }
}
