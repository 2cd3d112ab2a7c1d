public import EventDelivery
import Foundation
import LoopbackCollector

/// The contract of `Transport`, which is checked with a server that produces faults.
///
/// ```swift
/// @Test(arguments: TransportContract.checks)
/// func `keeps the contract of a transport`(check: TransportContract.Check) async throws {
///     try await check.run(CurlTransport())
/// }
/// ```
///
/// The checks use real sockets on 127.0.0.1. A check throws a description of the violation, so it works in Swift
/// Testing and XCTest.
public enum TransportContract {
    /// A check of one rule.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule, as a sentence.
        public let description: String
        private let body: @Sendable (any Transport) async throws -> Void

        init(_ description: String, _ body: @escaping @Sendable (any Transport) async throws -> Void) {
            self.description = description
            self.body = body
        }

        /// Checks a transport.
        ///
        /// - Parameter transport: The transport to check.
        /// - Throws: ``Violation`` if the transport breaks the rule.
        public func run(_ transport: any Transport) async throws {
            try await body(transport)
        }
    }

    /// A violation of a rule.
    public struct Violation: Error, CustomStringConvertible {
        public let description: String
    }

    /// The additional time for a result on a busy machine, beyond the second of the contract.
    private static let slack = Duration.seconds(1)

    /// All checks of the contract.
    public static let checks: [Check] = requests + responses + faults + table + endless + interruptions + load

    /// Throws a violation, unless a condition holds.
    static func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
        if !holds { throw Violation(description: otherwise()) }
    }

    /// Returns a POST request to a path of a collector.
    static func request(
        to collector: LoopbackCollector,
        path: String = "/events",
        headers: [HTTPHeader] = [],
        body: String = "{}"
    ) throws -> HTTPRequest {
        guard let url = URL(string: "\(collector.url)\(path)") else { throw Violation(description: "bad path \(path)") }
        return HTTPRequest(url: url, headers: headers, body: Array(body.utf8))
    }

    /// Sends a request and returns its result.
    ///
    /// - Throws: ``Violation`` if the result takes longer than the deadline and one second.
    static func outcome(
        of request: HTTPRequest,
        over transport: any Transport,
        deadline: Duration = .seconds(60)
    ) async throws -> Result<HTTPResponse, TransportError> {
        let start = ContinuousClock.now
        let result: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            result = .success(try await transport.send(request, timeout: deadline))
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

    /// Sends a request to a collector with a given action, and returns its result.
    static func outcome(
        of action: CollectorAction,
        over transport: any Transport,
        deadline: Duration = .seconds(60)
    ) async throws -> Result<HTTPResponse, TransportError> {
        let collector = try LoopbackCollector(script: .always(action))
        return try await outcome(of: try request(to: collector), over: transport, deadline: deadline)
    }
}
