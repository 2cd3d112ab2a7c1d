import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation
import TrackingPlan

/// Posts each declared event's examples to a validation server of the GA4 Measurement Protocol, and tells what it says.
///
/// The requests are those that an app sends, but for their address and the wish for strict rules. A validation server
/// keeps nothing and checks no credentials.
struct FirebaseValidation {
    /// What the tool was asked cannot be done.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private struct Answer: Decodable {
        struct Message: Decodable {
            let fieldPath: String?
            let description: String?
            let validationCode: String?
        }

        let validationMessages: [Message]
    }

    private let server: Endpoint
    private let transport: any Transport

    /// Creates a validation by a server, or by Google's own for `nil`.
    ///
    /// An address without a path gets the path of Google's server.
    init(server: Endpoint? = nil, transport: any Transport = PlatformTransport()) throws {
        let address = if let server { server } else { try Endpoint("https://www.google-analytics.com") }
        self.server = try address.replacingEmptyPath(with: "/debug/mp/collect")
        self.transport = transport
    }

    /// Posts all examples of catalogs, one after the other; answers what to say, and whether there is no message.
    func run(_ catalogs: [EventCatalog]) async throws -> (text: String, isWell: Bool) {
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
        let configuration = try MeasurementProtocolConfiguration(
            endpoint: server,
            firebaseAppID: "1:1:ios:1",
            apiSecret: "none"
        )
        return Set(catalogs.map(\.product)).sorted().flatMap { product in
            let destination = MeasurementProtocolDestination(product: product, configuration: configuration)
            return ExampleRequest.all(in: catalogs, to: destination)
        }
    }

    private func messages(on request: HTTPRequest) async throws -> [String] {
        var request = request
        request.body.insert(contentsOf: #""validation_behavior":"ENFORCE_RECOMMENDATIONS","#.utf8, at: 1)
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request, deadline: .seconds(30))
        } catch {
            throw Failure(description: "\(server) does not answer: \(error)")
        }
        guard response.status == 200,
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body))
        else { throw Failure(description: "\(server) is no validation server; it answers \(response.status)") }
        return answer.validationMessages.map { message in
            let parts = [message.validationCode, message.fieldPath, message.description]
            return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }
}
