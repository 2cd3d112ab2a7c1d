import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import TrackingPlan

/// A validation of each declared event's examples by a validation server of the GA4 Measurement Protocol.
///
/// The requests equal those of an app except for their address and the request for strict rules. The validation server
/// stores nothing and checks no credentials.
struct FirebaseValidation {
    /// The error of a validation that could not run.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private struct ServerResponse: Decodable {
        struct Message: Decodable {
            let fieldPath: String?
            let description: String?
            let validationCode: String?
        }

        let validationMessages: [Message]
    }

    private let server: Endpoint
    private let transport: any Transport

    /// Creates a validation with a server, or with Google's server for `nil`.
    ///
    /// An address without a path gets the path of Google's server.
    init(server: Endpoint? = nil, transport: any Transport = PlatformTransport()) throws {
        let address = if let server { server } else { try Endpoint("https://www.google-analytics.com") }
        self.server = try address.replacingEmptyPath(with: "/debug/mp/collect")
        self.transport = transport
    }

    /// Posts all examples of the catalogs in order.
    ///
    /// - Returns: A report, and whether the server had no messages.
    func run(_ catalogs: [EventCatalog]) async throws -> (text: String, isSuccess: Bool) {
        var lines: [String] = []
        let examples = try requests(catalogs)
        for example in examples {
            let place = "\(example.event) (\(example.name), example \(example.number))"
            lines += try await messages(on: example.request).map { "\(place): \($0)" }
        }
        let events = Set(examples.map(\.event)).count
        let summary = "\(examples.count) examples of \(events) events at \(server): \(lines.count) messages"
        return ((lines + [summary]).joined(separator: "\n"), lines.isEmpty)
    }

    private func requests(_ catalogs: [EventCatalog]) throws -> [ExampleRequest] {
        let configuration = try FirebaseConfiguration(
            endpoint: server,
            firebaseAppID: "1:1:ios:1",
            apiSecret: "none"
        )
        return Set(catalogs.map(\.product)).sorted().flatMap { product in
            let destination = FirebaseDestination(product: product, configuration: configuration)
            return ExampleRequest.all(in: catalogs, to: destination)
        }
    }

    private func messages(on request: HTTPRequest) async throws -> [String] {
        var request = request
        request.body.insert(contentsOf: #""validation_behavior":"ENFORCE_RECOMMENDATIONS","#.utf8, at: 1)
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request, timeout: .seconds(30))
        } catch {
            throw Failure(description: "\(server) does not respond: \(error)")
        }
        guard response.status == 200,
            let parsed = try? JSONDecoder().decode(ServerResponse.self, from: Data(response.body))
        else { throw Failure(description: "\(server) is not a validation server; it responds with \(response.status)") }
        return parsed.validationMessages.map { message in
            let parts = [message.validationCode, message.fieldPath, message.description]
            return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }
}
