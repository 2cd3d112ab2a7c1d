import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

@testable import HTTPTransport

@Suite(.timeLimit(.minutes(5))) struct ConnectionRenewalTests {
    @Test func `connections live for a minute, and a fault renews them once in ten seconds`() {
        var renewal = ConnectionRenewal()
        let start = ContinuousClock.now

        let statuses = [
            (0, 200), (1, 503), (2, 503), (10, 499), (11, 421), (12, 421), (21, 599), (22, 200), (80, 200), (81, 200),
            (82, nil as Int?), (142, nil),
        ]
        let renewed = statuses.filter { renewal.isDue(at: start + .seconds($0), after: $1) }.map(\.0)

        #expect(renewed == [1, 11, 21, 81, 142])
        #expect([0, 1, 42].map { renewal.maximumAge(at: start + .seconds(142 + $0)) } == [1, 1, 42])
    }

    #if !canImport(Darwin)
    @Test(arguments: [503, 500, 421])
    func `after a fault of the receiver, the next request uses a new connection, and further ones keep it`(
        status: Int
    ) async throws {
        let collector = try LoopbackCollector(
            script: .sequence([.accept, .accept, .status(status), .status(status), .accept], then: .accept)
        )
        let transport = CurlTransport()
        let request = HTTPRequest(url: collector.url.url, body: [1])
        var connections: [Int] = []

        for _ in 1...6 {
            _ = try await transport.send(request, timeout: .seconds(10))
            connections.append(collector.tally.connections)
        }

        #expect(connections == [1, 1, 1, 2, 2, 2])
    }
    #endif
}
