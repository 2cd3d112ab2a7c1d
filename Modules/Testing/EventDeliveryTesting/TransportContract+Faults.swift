import CoreTrackerTesting
import EventDelivery
import Foundation
import LoopbackCollector

extension TransportContract {
    private static let page = CollectorResponse(200, text: "{\"ok\":true}")

    /// Checks of failures that must not produce a response.
    static let faults: [Check] = [
        Check("a closed port is a failed connection") { transport in
            let closed = try LoopbackCollector()
            closed.close()

            let refused = try await outcome(of: request(to: closed), over: transport)

            guard isConnectionFailure(refused) else { throw ContractViolation("\(refused)") }
        },
        Check("an unknown host name is a failed connection") { transport in
            guard let url = URL(string: "http://collector.invalid/") else { return }

            let unknown = try await outcome(of: HTTPRequest(url: url, body: []), over: transport, deadline: .seconds(5))

            guard case .failure(let error) = unknown, error != .cancelled else {
                throw ContractViolation("\(unknown)")
            }
        },
        Check("a connection that ends or is reset before the response is not a response") { transport in
            for action in [CollectorAction.close, .reset] {
                let result = try await outcome(of: action, over: transport)

                guard isConnectionFailure(result) else {
                    throw ContractViolation("\(action): \(result)")
                }
            }
        },
        Check("a connection that is reset before or during the request's body is not a response") { transport in
            for reception in [
                CollectorReception.reset(afterBytes: 0), .reset(afterBytes: 100_000), .close(afterBytes: 9),
            ] {
                let collector = try LoopbackCollector(script: .accept.receiving { _ in reception })
                let body = String(repeating: "x", count: 10_000_000)

                let result = try await outcome(of: request(to: collector, body: body), over: transport)

                guard isConnectionFailure(result) else {
                    throw ContractViolation("\(reception): \(result)")
                }
                try expect(collector.tally.requests == 0, "\(collector.tally)")
            }
        },
        Check("a head that is cut off is not a response") { transport in
            for text in ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"] {
                let result = try await outcome(of: .text(text), over: transport)

                guard case .failure = result else { throw ContractViolation("\(text): \(result)") }
            }
        },
        Check("a response that is cut off in its body has the part that arrived") { transport in
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            let cut: [(CollectorAction, status: Int, body: String)] = [
                (.truncate(page, bodyBytes: 0), 200, ""), (.truncate(page, bodyBytes: 5), 200, "{\"ok\""),
                (.text(head), 200, ""), (.text(head + "5\r\nab"), 200, "ab"), (.text(head + "2\r\nab\r\n"), 200, "ab"),
                (.text(head + "2\r\nab\r\nzz\r\n"), 200, "ab"),
                (
                    .truncate(CollectorResponse(302, headers: [.init("Location", "/x")], text: "hello"), bodyBytes: 1),
                    302, "h"
                ),
            ]
            for (action, status, body) in cut {
                let response = try await outcome(of: action, over: transport).get()

                try expect(response.status == status && response.extent == .interrupted, "\(action): \(response)")
                try expect(body.utf8.starts(with: response.body), "\(action): \(response.body)")
            }
        },
        Check("garbage and responses of HTTP/0.9 are not responses") { transport in
            let texts = [
                "\u{1}\u{2}garbage", "<html>200 OK</html>", "200 OK\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/9.9 200 OK\r\n\r\n",
                "HTTP/1.1 0 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "SSH-2.0-x\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            ]
            for text in texts {
                let result = try await outcome(of: .text(text), over: transport)

                guard case .failure(let error) = result else {
                    throw ContractViolation("\(text.debugDescription): \(result)")
                }
                try expect(error != .cancelled && error != .timedOut && error != .untrusted, "\(text): \(error)")
            }
        },
        Check("a connection that the server closed between requests does not fail the next request") { transport in
            let collector = try LoopbackCollector(script: .always(.respondAndClose(page)))

            for number in 1...3 {
                let result = try await outcome(of: request(to: collector), over: transport)
                try expect((try? result.get().status) == 200, "request \(number): \(result)")
                await collector.tally { $0.openConnections == 0 }
            }

            try expect(collector.tally.requests == 3, "\(collector.tally)")
        },
        Check("a request whose connection closes meanwhile is sent once more or fails") { transport in
            let script = CollectorScript.always(.respond(page)).receiving { head in
                head.ordinal > 1 ? .close(afterBytes: 0) : .read
            }
            let collector = try LoopbackCollector(script: script)
            _ = try await outcome(of: request(to: collector), over: transport)

            let result = try await outcome(of: request(to: collector), over: transport)

            let arrived = collector.tally.requests
            switch result {
            case .success: try expect(arrived == 2, "acknowledged, but \(arrived) requests arrived")
            case .failure(let error):
                try expect(isConnectionFailure(result), "\(error)")
                try expect(arrived == 1, "failed, but \(arrived) requests arrived")
            }
        },
    ]
}

extension TransportContract {
    /// Returns whether a request failed because of its connection.
    ///
    /// Platforms report different causes.
    static func isConnectionFailure(_ result: Result<HTTPResponse, TransportError>) -> Bool {
        switch result {
        case .failure(.connectionFailed), .failure(.connectionLost), .failure(.connectionRefused),
            .failure(.handshakeFailed), .failure(.hostNotFound):
            true
        default: false
        }
    }
}

extension CollectorAction {
    fileprivate static func text(_ text: String) -> CollectorAction { .bytes(Array(text.utf8)) }
}
