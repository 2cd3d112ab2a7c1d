import CoreTrackerTesting
import EventDelivery
import Foundation
import LoopbackCollector

extension TransportContract {
    /// Checks of requests as they arrive.
    static let requests: [Check] = [
        Check("a request arrives unchanged") { transport in
            let collector = try LoopbackCollector()
            let header = try HTTPHeader("X-Key", "va lue")
            let body = String(repeating: "ü\u{0}\"", count: 50_000)

            _ = try await outcome(
                of: request(to: collector, path: "/a%20b?q=1%2B1", headers: [header], body: body),
                over: transport
            )

            let arrived = try await collector.onlyRequest()
            try expect(arrived.method == "POST", arrived.method)
            try expect(arrived.head.target == "/a%20b?q=1%2B1", arrived.head.target)
            try expect(arrived.headers["x-key"] == "va lue", "\(arrived.head.headerLines)")
            try expect(arrived.text == body, "the body differs")
        },
        Check("a receiver with only an IPv6 address is reached") { transport in
            guard let collector = try? LoopbackCollector(isIPv6: true) else { return }  // This machine has no IPv6.

            let result = try await outcome(of: request(to: collector), over: transport)

            try expect((try? result.get().status) == 200, "\(result)")
            try expect(collector.tally.requests == 1, "\(collector.tally)")
        },
        Check("requests share a connection") { transport in
            let collector = try LoopbackCollector()

            for _ in 1...3 { _ = try await outcome(of: request(to: collector), over: transport) }

            try expect(collector.tally.connections == 1, "\(collector.tally)")
        },
        Check("a body is compressed only if it is allowed and makes the body smaller") { transport in
            let collector = try LoopbackCollector()
            let noise = (0..<4096).map { _ in UInt8.random(in: 0...255) }
            let cases = [
                ([UInt8](repeating: 65, count: 4096), true, true), ([UInt8](repeating: 65, count: 4096), false, false),
                (noise, true, false), ([65], true, false), ([], true, false),
            ]
            for (body, allowed, packed) in cases {
                var request = try request(to: collector)
                (request.body, request.allowsGzip) = (body, allowed)

                _ = try await outcome(of: request, over: transport)

                let arrived = collector.requests.last
                try expect(arrived?.body == body, "the body of \(body.count) bytes changed on the way")
                try expect(
                    (arrived?.headers["content-encoding"] == "gzip") == packed,
                    "\(body.count) bytes, gzip \(allowed): \(arrived?.head.headerLines ?? [])"
                )
            }
        },
        Check("the caller cannot set headers that frame the message or control the connection") { transport in
            let collector = try LoopbackCollector()
            let names = ["Content-Length", "Transfer-Encoding", "Host", "Connection", "Content-Encoding", "Expect"]
            let headers = try names.map { try HTTPHeader($0, "chunked") }

            let result = try await outcome(of: request(to: collector, headers: headers, body: "body"), over: transport)

            let arrived = try await collector.onlyRequest()
            try expect((try? result.get().status) == 200, "\(result)")
            try expect(arrived.text == "body", arrived.text)
            try expect(!arrived.head.headerLines.contains { $0.contains("chunked") }, "\(arrived.head.headerLines)")
        },
        Check("a request that HTTP cannot express is rejected, and nothing is sent") { transport in
            let collector = try LoopbackCollector()
            let port = collector.port
            let urls = ["file:///etc/passwd", "http:", "data:,x", "http://user:hush@127.0.0.1:\(port)/", "//127.0.0.1"]
            var refused = urls.compactMap(URL.init).map { HTTPRequest(url: $0, body: []) }
            for method in ["GET / HTTP/1.1\r\nX: y", "PO ST", ""] {
                var request = try request(to: collector)
                request.method = method
                refused.append(request)
            }

            for request in refused {
                let result = try await outcome(of: request, over: transport)
                try expect((try? result.get()) == nil, "\(request.method) \(request.url): \(result)")
            }

            try expect(collector.tally.connections == 0, "\(collector.tally)")
        },
        Check("no response changes a later request") { transport in
            let keepsakes = [
                CollectorResponse.Header("Set-Cookie", "a=b; Path=/"), .init("Cache-Control", "max-age=600"),
                .init("ETag", "\"x\""), .init("Alt-Svc", "h2=\":1\""),
            ]
            let collector = try LoopbackCollector(
                script: .always(.respond(CollectorResponse(200, headers: keepsakes, text: "kept")))
            )
            var get = try request(to: collector)
            get.method = "GET"

            for _ in 1...2 { _ = try await outcome(of: get, over: transport) }

            try expect(collector.requests.count == 2, "a cache responded to the second request")
            let names = collector.requests.flatMap(\.headers.keys)
            try expect(!names.contains { ["cookie", "if-none-match", "authorization"].contains($0) }, "\(names)")
        },
    ]
}

extension LoopbackCollector {
    /// Returns the only received request.
    ///
    /// - Throws: `ContractViolation` if there is not exactly one.
    func onlyRequest() async throws -> CollectedRequest {
        guard let request = requests.first, requests.count == 1 else {
            throw ContractViolation("\(requests.count) requests arrived instead of one")
        }
        return request
    }
}
