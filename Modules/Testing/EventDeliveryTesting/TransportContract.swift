public import CoreTrackerTesting
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
/// The checks use real sockets on 127.0.0.1.
public enum TransportContract {
    /// A check of one rule of the contract.
    public typealias Check = ContractCheck<any Transport>

    /// The additional time for a result on a busy machine, beyond the second of the contract.
    private static let slack = Duration.seconds(1)

    /// The checks of the contract.
    public static let checks: [Check] = requests + responses + faults + table + endless + interruptions + load

    /// Returns a POST request to a path of a collector.
    static func request(
        to collector: LoopbackCollector,
        path: String = "/events",
        headers: [HTTPHeader] = [],
        body: String = "{}"
    ) throws -> HTTPRequest {
        guard let url = URL(string: "\(collector.url)\(path)") else { throw ContractViolation("bad path \(path)") }
        return HTTPRequest(url: url, headers: headers, body: Array(body.utf8))
    }

    /// Sends a request and returns its result.
    ///
    /// - Throws: `ContractViolation` if the result takes longer than the deadline and one second.
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
