import EventDelivery
import Foundation

/// The address of an inspector for reports, with the required token.
struct InspectorAddress: Sendable {
    private let url: URL
    private let origin: String
    private let token: Secret

    /// Parses the link of an inspector, such as `http://127.0.0.1:8123/?token=…`.
    ///
    /// - Parameters:
    ///   - link: The link that the inspector printed.
    ///   - allowsOtherMachines: Whether the link may name a host other than the loopback address.
    /// - Throws: `invalidURL` if the link has no host or no token, and `invalidValue` if it names another machine
    ///   without permission.
    init(_ link: String, allowsOtherMachines: Bool) throws(ConfigurationError) {
        guard let parts = URLComponents(string: link), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let token = parts.queryItems?.first(where: { $0.name == "token" })?.value
        else { throw .invalidURL }
        guard allowsOtherMachines || Endpoint.isLoopback(host) else {
            throw .invalidValue(field: "the inspector's link", expected: "a loopback address")
        }
        var address = URLComponents()
        (address.scheme, address.percentEncodedHost, address.port) = (scheme, parts.percentEncodedHost, parts.port)
        origin = address.string ?? ""
        address.path = "/inspector/state"
        guard let url = address.url else { throw .invalidURL }
        self.url = url
        self.token = Secret(token)
    }

    /// Returns a request with reports, each of which is one line of JSON.
    func request(_ lines: [UInt8]) -> HTTPRequest? {
        guard let authorization = try? HTTPHeader("Authorization", "Bearer \(token.value)"),
            let origin = try? HTTPHeader("Origin", origin)
        else { return nil }
        return HTTPRequest(url: url, headers: [authorization, origin], body: lines, allowsGzip: false)
    }
}
