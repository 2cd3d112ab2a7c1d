public import EventDelivery
import Foundation
import LoopbackCollector

/// What every `Transport` must keep, as checks against a server that misbehaves on request.
///
/// Run each of ``checks`` as a test of its own. They use real sockets on 127.0.0.1 and throw with what is wrong, so
/// that they work in Swift Testing and XCTest alike. The numbers in the names are those of the fault catalogue.
public enum TransportContract {
    /// One promise of the contract.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise as a sentence.
        public let description: String
        private let body: @Sendable (any Transport) async throws -> Void

        init(_ description: String, _ body: @escaping @Sendable (any Transport) async throws -> Void) {
            self.description = description
            self.body = body
        }

        /// Holds a transport to the promise; throws when it is broken.
        public func run(_ transport: any Transport) async throws {
            try await body(transport)
        }
    }

    /// A broken promise.
    public struct Violation: Error, CustomStringConvertible {
        public let description: String
    }

    /// How late an outcome may be on a machine that is busy with other tests, beyond the contract's second.
    private static let slack = Duration.seconds(1)

    /// All promises.
    public static let checks: [Check] = requests + answers + faults + table + endless + interruptions + load

    /// Throws unless a condition holds.
    static func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
        if !holds { throw Violation(description: otherwise()) }
    }

    /// A POST to a path of a collector.
    static func request(
        to collector: LoopbackCollector,
        path: String = "/events",
        headers: [HTTPHeader] = [],
        body: String = "{}"
    ) throws -> HTTPRequest {
        guard let url = URL(string: "\(collector.url)\(path)") else { throw Violation(description: "bad path \(path)") }
        return HTTPRequest(url: url, headers: headers, body: Array(body.utf8))
    }

    /// Sends a request and answers its outcome, within the deadline plus one second or it throws.
    static func outcome(
        of request: HTTPRequest,
        over transport: any Transport,
        deadline: Duration = .seconds(60)
    ) async throws -> Result<HTTPResponse, TransportError> {
        let start = ContinuousClock.now
        let result: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            result = .success(try await transport.send(request, deadline: deadline))
        } catch {
            result = .failure(error)
        }
        let time = ContinuousClock.now - start
        try expect(
            time <= max(deadline, .zero) + .seconds(1) + slack,
            "\(result) came after \(time), the deadline was \(deadline)"
        )
        return result
    }

    /// Sends a request to a collector that answers in this way, and answers the outcome.
    static func outcome(
        of answer: CollectorAnswer,
        over transport: any Transport,
        deadline: Duration = .seconds(60)
    ) async throws -> Result<HTTPResponse, TransportError> {
        let collector = try LoopbackCollector(script: .always(answer))
        return try await outcome(of: try request(to: collector), over: transport, deadline: deadline)
    }
}
