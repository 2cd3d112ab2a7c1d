#if !canImport(Darwin)
import Foundation
import Testing

@testable import HTTPTransport

@Suite(.timeLimit(.minutes(5))) struct CurlWatchTests {
    @Test func `an exchange without a result is completed at its earliest scheduled time`() async throws {
        let (watch, exchange) = (CurlWatch(), try exchange(1))

        let result = await withCheckedContinuation { sender in
            exchange.begin(sender)
            watch.insist(on: .timedOut, of: exchange, at: .now + .seconds(600))
            watch.insist(on: .cancelled, of: exchange, at: .now + .milliseconds(20))
            watch.insist(on: .timedOut, of: exchange, at: .now + .seconds(300))
        }

        #expect(result == .failure(.cancelled))
    }

    @Test func `the alarm continues with the next exchange and skips completed ones`() async throws {
        let watch = CurlWatch()
        let exchanges = try (1...3).map { try exchange(UInt($0)) }

        let results = await withTaskGroup(of: (Int, Result<HTTPResponse, TransportError>).self) { group in
            for (index, exchange) in exchanges.enumerated() {
                group.addTask {
                    let result = await withCheckedContinuation { sender in
                        exchange.begin(sender)
                        watch.insist(on: .timedOut, of: exchange, at: .now + .milliseconds(20 * (index + 1)))
                        if index == 1 { exchange.complete(.success(HTTPResponse(status: 200))) }
                    }
                    watch.remove(exchange)
                    return (index, result)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }

        #expect(results[0] == .failure(.timedOut))
        #expect(results[1] == .success(HTTPResponse(status: 200)))
        #expect(results[2] == .failure(.timedOut))
    }

    private func exchange(_ id: UInt) throws -> CurlExchange {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let request = try #require(WireRequest(HTTPRequest(url: url, body: [])))
        return CurlExchange(id: id, request, deadline: .now)
    }
}
#endif
