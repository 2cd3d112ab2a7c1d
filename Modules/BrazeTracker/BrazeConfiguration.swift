public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where Braze events go, and what proves that they may; checked when it is made.
///
/// The key is a server's secret: an app reaches Braze through a relay that holds it. Tests and tools use it directly.
public struct BrazeConfiguration: Sendable {
    /// The most objects of a request under Braze's current contracts.
    public static let maximumEvents = 75

    /// Where events are sent; an endpoint without a path stands for `/users/track`.
    let endpoint: Endpoint
    /// The header that carries the key.
    let authorization: HTTPHeader
    /// The app that events belong to, as Braze's dashboard names it.
    let appID: String?
    /// The most events of a request.
    let eventsPerRequest: Int

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: The host of the app's Braze instance, such as `https://rest.fra-01.braze.eu`, or a relay.
    ///   - apiKey: A REST key with the permission `users.track`.
    ///   - appID: The app's identifier in Braze; events without one belong to no app.
    ///   - eventsPerRequest: 75, or what an older contract allows, such as 50.
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

    /// Braze answers 401 to a key in quotes.
    private static func isKeyCharacter(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
    }
}

extension BrazeConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { endpoint.description }
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint.description]) }
}
