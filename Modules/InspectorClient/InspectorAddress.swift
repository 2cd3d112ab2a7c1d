import EventDelivery
import Foundation

/// Where an inspector takes reports, and by which token.
struct InspectorAddress: Sendable {
    private let url: URL
    private let token: Secret

    /// Reads the link that an inspector prints, such as `http://127.0.0.1:8123/?token=…`.
    init(_ link: String) throws(ConfigurationError) {
        let endpoint = try Endpoint(link)
        guard var components = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: false),
            let token = components.queryItems?.first(where: { $0.name == "token" })?.value
        else { throw .invalidURL }
        components.queryItems = nil
        components.path = "/inspector/state"
        guard let url = components.url else { throw .invalidURL }
        self.url = url
        self.token = Secret(token)
    }

    /// The request that carries reports, one line of JSON for each.
    func request(_ lines: [UInt8]) -> HTTPRequest? {
        guard let authorization = try? HTTPHeader("Authorization", "Bearer \(token.value)") else { return nil }
        return HTTPRequest(url: url, headers: [authorization], body: lines, allowsGzip: false)
    }
}
